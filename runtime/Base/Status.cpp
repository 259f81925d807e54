//===- Base/Status.cpp - Failure with a category and causes ---------------===//

#include "runtime/Base/Status.h"

#include <system_error>

using namespace dpl::rt;

Status Status::error(Exit category, std::string message) {
  assert(category != Exit::Done && "a failure needs a category");
  Status status;
  status.failure = std::make_unique<Failure>();
  status.failure->category = category;
  status.failure->messages.push_back(std::move(message));
  return status;
}

Status Status::systemError(Exit category, std::string_view message,
                           int errnum) {
  std::string text(message);
  text += ": ";
  text += std::generic_category().message(errnum);
  return error(category, std::move(text));
}

Status Status::copy() const {
  Status status;
  if (failure)
    status.failure = std::make_unique<Failure>(*failure);
  return status;
}

Status Status::within(std::string message) && {
  if (failure)
    failure->messages.insert(failure->messages.begin(), std::move(message));
  return std::move(*this);
}

Status Status::as(Exit category) && {
  assert(category != Exit::Done && "a failure needs a category");
  if (failure)
    failure->category = category;
  return std::move(*this);
}

Exit Status::category() const {
  return failure ? failure->category : Exit::Done;
}

const std::vector<std::string> &Status::chain() const {
  static const std::vector<std::string> none;
  return failure ? failure->messages : none;
}

std::string Status::text() const {
  std::string text;
  for (const std::string &message : chain()) {
    if (!text.empty())
      text += "\n  because: ";
    text += message;
  }
  return text;
}
