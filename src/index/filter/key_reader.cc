#include <utility>

#include <fmt/format.h>

#include "base/files/line_reader.h"
#include "base/hex_code.h"
#include "zhiwen/filter.h"

namespace zhiwen {

struct KeyReader::State {
  Result<uint64_t> KeyOf(std::string_view line) const;

  LineReader lines;
  KeyForm form = KeyForm::kLine;
};

Result<uint64_t> KeyReader::State::KeyOf(std::string_view line) const {
  if (form == KeyForm::kLine) return KeyOfLine(line);
  uint64_t code = 0;
  if (ParseHexCode(line, code)) return code;
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("cannot read \"{}\": line {} is no code of 1 to {} hex digits; correct it, or "
                  "take lines as texts",
                  lines.name(), lines.number(), kMostHexDigits));
}

KeyReader::KeyReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
KeyReader::KeyReader(KeyReader&&) noexcept = default;
KeyReader::~KeyReader() = default;

Result<KeyReader> KeyReader::Open(FileSystem& files, const std::string& path, KeyForm form) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenStream(path));
  return Create(std::move(file), path, form);
}

Result<KeyReader> KeyReader::Create(std::unique_ptr<ReadableFile> file, const std::string& name,
                                    KeyForm form) {
  ZHIWEN_ASSIGN_OR_RETURN(
      LineReader lines,
      LineReader::Create(std::move(file), name, {.most_line_bytes = kMostLineBytes}));
  return KeyReader(std::make_unique<State>(State{.lines = std::move(lines), .form = form}));
}

uint64_t KeyReader::bytes_read() const { return state_->lines.bytes_read(); }

Status KeyReader::Next(KeyBatch& batch) {
  LineReader& lines = state_->lines;
  batch.keys.clear();
  batch.lines.clear();
  batch.first_line = lines.number() + 1;
  ZHIWEN_RETURN_IF_ERROR(lines.Fill());
  std::string_view line;
  while (lines.Take(line)) {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t key, state_->KeyOf(line));
    batch.keys.push_back(key);
    batch.lines.push_back(line);
  }
  return {};
}

}  // namespace zhiwen
