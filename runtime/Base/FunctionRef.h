//===- Base/FunctionRef.h - A callable that is not owned --------*- C++ -*-===//

#ifndef DPL_RUNTIME_BASE_FUNCTIONREF_H
#define DPL_RUNTIME_BASE_FUNCTIONREF_H

#include <memory>
#include <type_traits>
#include <utility>

namespace dpl::rt {

template <typename Signature> class FunctionRef;

/// Refers to a callable without owning or allocating; the callable has to
/// outlive every call. For parameters, not for storage.
template <typename R, typename... Args> class FunctionRef<R(Args...)> {
public:
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
             std::is_invocable_r_v<R, F &, Args...>)
  FunctionRef(F &&callable)
      : object(const_cast<void *>(
            static_cast<const void *>(std::addressof(callable)))),
        call([](void *object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F> *>(object))(
              std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const {
    return call(object, std::forward<Args>(args)...);
  }

private:
  void *object;
  R (*call)(void *, Args...);
};

} // namespace dpl::rt

#endif // DPL_RUNTIME_BASE_FUNCTIONREF_H
