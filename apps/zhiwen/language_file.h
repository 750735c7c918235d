#ifndef ZHIWEN_APPS_ZHIWEN_LANGUAGE_FILE_H_
#define ZHIWEN_APPS_ZHIWEN_LANGUAGE_FILE_H_

// The language data of a run: opened when something needs it, once.
//
// Fails       kNotFound: there is none, saying where it was looked for and what to do

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

  // OpenChannel and Scheme::Create, with the data where the name needs it. A run that needs none
  // does not care whether it is there.
  Result<Channel> OpenChannel(std::string_view name);

  // The channel of --channel NAME or --variants FILE; none where neither was given. Fails also when
  // both were.
  Result<std::optional<Channel>> OpenChosen(const std::optional<std::string>& name,
                                            const std::optional<std::string>& variants);

  // `resources` without a language.
  Result<std::unique_ptr<Scheme>> CreateScheme(std::string_view name,
                                               const SchemeResources& resources = {});

 private:
  std::string path_;
  std::shared_ptr<const Language> language_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_LANGUAGE_FILE_H_
