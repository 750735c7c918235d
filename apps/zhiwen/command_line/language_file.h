#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_LANGUAGE_FILE_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_LANGUAGE_FILE_H_

// Opens the language data of a run, once, when the data is first needed.
//
// Fails       kNotFound: there is no data; the message says where it was searched and what to do

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "zhiwen/channel.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

class LanguageFile {
 public:
  explicit LanguageFile(std::string path) : path_(std::move(path)) {}

  Result<std::shared_ptr<const Language>> Open();

  // Calls OpenChannel, with the language data when the name needs it. Other names work without the
  // data.
  Result<Channel> OpenChannel(std::string_view name);

  // Opens the channel of --channel NAME or --variants FILE; returns nothing when neither was given.
  // Fails also: kInvalidArgument when both were given.
  Result<std::optional<Channel>> OpenChosen(const std::optional<std::string>& name,
                                            const std::optional<std::string>& variants);

  // Calls Scheme::Create, with the language data when the name needs it. `resources` must have no
  // language.
  Result<std::unique_ptr<Scheme>> CreateScheme(std::string_view name,
                                               const SchemeResources& resources = {});

 private:
  std::string path_;
  std::shared_ptr<const Language> language_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_LANGUAGE_FILE_H_
