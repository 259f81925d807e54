//===- Base/Status.h - Failure with a category and causes -------*- C++ -*-===//
//
// Every operation of the runtime that can fail returns Status or Result. A
// failure has the category that decides the exit code of the trainer and a
// chain of messages, from what was wanted down to why it could not be.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_BASE_STATUS_H
#define DPL_RUNTIME_BASE_STATUS_H

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dpl::rt {

/// The exit codes of a trainer. A signal N gives 128 + N (see exitOfSignal).
enum class Exit : int {
  Done = 0,
  Runtime = 1,           ///< anything that no other category names
  Usage = 2,             ///< command line, configuration, environment
  Data = 3,              ///< data sets: missing, broken, or out of range
  Diverged = 4,          ///< a loss or gradient that is not finite
  Device = 5,            ///< device or communication
  ReplicasDiffer = 6,    ///< parameters of replicas are not the same
  SnapshotIO = 74,       ///< a final snapshot could not be written or read
  StoppedResumable = 75, ///< stopped early, with a good snapshot
  Watchdog = 124         ///< a rank or step made no progress
};

constexpr int exitOfSignal(int signal) { return 128 + signal; }

/// Success, or a failure. Cheap to move and to test; a success holds nothing.
class [[nodiscard]] Status {
public:
  Status() = default;
  static Status success() { return {}; }
  /// A failure; `message` is one sentence without a period, in lower case.
  static Status error(Exit category, std::string message);
  /// A failure whose message ends with the system's text for `errnum`.
  static Status systemError(Exit category, std::string_view message,
                            int errnum);

  bool ok() const { return !failure; }
  /// The same success or failure once more, for what has to repeat it.
  Status copy() const;

  /// Puts a message that says what was wanted above the present chain. The
  /// category stays. A success stays a success.
  Status within(std::string message) &&;
  /// Gives a failure another category.
  Status as(Exit category) &&;

  /// Exit::Done for a success.
  Exit category() const;
  int exitCode() const { return static_cast<int>(category()); }
  /// The messages, outermost first; empty for a success.
  const std::vector<std::string> &chain() const;
  /// The chain as text: the outermost message, then one line `  because: ..`
  /// for each cause. No newline at the end.
  std::string text() const;

private:
  struct Failure {
    Exit category;
    std::vector<std::string> messages;
  };
  std::unique_ptr<Failure> failure;
};

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : failure(std::move(status)) {
    assert(!failure.ok() && "a Result without a value needs a failure");
  }

  bool ok() const { return value_.has_value(); }
  T &operator*() & { return *checked(); }
  const T &operator*() const & {
    return *const_cast<Result *>(this)->checked();
  }
  T &&operator*() && { return std::move(*checked()); }
  T *operator->() { return checked(); }
  const T *operator->() const { return const_cast<Result *>(this)->checked(); }
  /// Moves the value out.
  T take() { return std::move(*checked()); }
  const Status &status() const { return failure; }
  /// Moves the failure out.
  Status takeStatus() { return std::move(failure); }

private:
  T *checked() {
    assert(value_ && "no value: test ok() first");
    return &*value_;
  }
  std::optional<T> value_;
  Status failure;
};

#define DPL_CONCAT_IMPL(a, b) a##b
#define DPL_CONCAT(a, b) DPL_CONCAT_IMPL(a, b)

/// Returns from the enclosing function when `expression`, a Status, failed.
#define DPL_TRY(expression)                                                    \
  do {                                                                         \
    if (::dpl::rt::Status tried = (expression); !tried.ok())                   \
      return tried;                                                            \
  } while (false)

/// `DPL_LET(auto x, f());` declares x with the value of a Result, or returns
/// its failure from the enclosing function.
#define DPL_LET(declaration, expression)                                       \
  auto DPL_CONCAT(result, __LINE__) = (expression);                            \
  if (!DPL_CONCAT(result, __LINE__).ok())                                      \
    return DPL_CONCAT(result, __LINE__).takeStatus();                          \
  declaration = DPL_CONCAT(result, __LINE__).take()

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_STATUS_H
