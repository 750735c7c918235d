#include "command_line/language_file.h"

#include <fmt/format.h>

#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

// Returns make(nullptr), or make(language) when make(nullptr) fails for lack of language data.
template <typename Make>
auto WithLanguage(LanguageFile& file, const Make& make) -> decltype(make(nullptr)) {
  auto made = make(nullptr);
  if (made || made.error().code != ErrorCode::kNotFound) return made;
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> language, file.Open());
  return make(language);
}

}  // namespace

Result<std::shared_ptr<const Language>> LanguageFile::Open() {
  if (language_ != nullptr) return language_;
  auto opened = Language::Open(PosixFileSystem(), path_);
  if (!opened && opened.error().code == ErrorCode::kNotFound) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("cannot open the language data: \"{}\" does not exist; install it "
                            "there, or name it with ZHIWEN_LANGUAGE",
                            path_));
  }
  if (opened) language_ = *opened;
  return opened;
}

Result<Channel> LanguageFile::OpenChannel(std::string_view name) {
  return WithLanguage(*this, [&](const std::shared_ptr<const Language>& language) {
    return zhiwen::OpenChannel(name, language);
  });
}

Result<std::optional<Channel>> LanguageFile::OpenChosen(
    const std::optional<std::string>& name, const std::optional<std::string>& variants) {
  if (name && variants) {
    return Fail(ErrorCode::kInvalidArgument,
                "--variants is a channel of its own; leave --channel out");
  }
  if (name) return OpenChannel(*name);
  if (!variants) return std::nullopt;
  ZHIWEN_ASSIGN_OR_RETURN(const UserFile file, ReadUserFile(PosixFileSystem(), *variants));
  return MakeVariantsChannel(file);
}

Result<std::unique_ptr<Scheme>> LanguageFile::CreateScheme(std::string_view name,
                                                           const SchemeResources& resources) {
  return WithLanguage(*this, [&](const std::shared_ptr<const Language>& language) {
    SchemeResources complete = resources;
    complete.language = language;
    return Scheme::Create(name, std::move(complete));
  });
}

}  // namespace zhiwen
