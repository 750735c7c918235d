#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/compress/byte_source.h"
#include "base/compress/peeked_file.h"
#include "base/text_encoding.h"
#include "zhiwen/filter.h"

namespace zhiwen {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kMostHexDigits = 16;

bool ParseCode(std::string_view text, uint64_t& code) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  if (text.empty() || text.size() > kMostHexDigits) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

struct KeyReader::State {
  Status Fill();
  Result<uint64_t> KeyOf(std::string_view line, uint64_t number) const;

  std::unique_ptr<ByteSource> source;
  std::string name;
  KeyForm form = KeyForm::kLine;
  std::string buffer;
  size_t begin = 0, end = 0;  // of what is in it and was not handed out
  uint64_t lines = 0;         // handed out
  bool is_at_end = false;
  bool has_begun = false;
};

// Reads on behind what is there, which moves to the front.
Status KeyReader::State::Fill() {
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  if (buffer.size() < end + kReadBytes) buffer.resize(end + kReadBytes);
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count,
                          source->Read(std::span(buffer).subspan(end, buffer.size() - end)));
  is_at_end = count < buffer.size() - end;
  end += count;
  if (!has_begun && std::string_view(buffer).substr(0, end).starts_with(kByteOrderMark)) {
    begin = kByteOrderMark.size();
  }
  has_begun = true;
  return {};
}

Result<uint64_t> KeyReader::State::KeyOf(std::string_view line, uint64_t number) const {
  if (form == KeyForm::kLine) return KeyOfLine(line);
  uint64_t code = 0;
  if (ParseCode(line, code)) return code;
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("cannot read \"{}\": line {} is no code of 1 to {} hex digits; correct it, or "
                  "take lines as texts",
                  name, number, kMostHexDigits));
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
  ZHIWEN_ASSIGN_OR_RETURN(PeekedFile peeked, PeekFile(std::move(file)));
  auto state = std::make_unique<State>();
  ZHIWEN_ASSIGN_OR_RETURN(state->source,
                          OpenByteSource(std::move(peeked.file), peeked.compression));
  state->name = name;
  state->form = form;
  return KeyReader(std::move(state));
}

uint64_t KeyReader::bytes_read() const { return state_->source->file_bytes_read(); }

Status KeyReader::Next(KeyBatch& batch) {
  State& state = *state_;
  batch.keys.clear();
  batch.lines.clear();
  batch.first_line = state.lines + 1;
  size_t searched = state.end - state.begin;  // no line end in these
  const char* last = nullptr;
  while (!state.is_at_end && last == nullptr) {
    ZHIWEN_RETURN_IF_ERROR(state.Fill());
    const std::string_view text(state.buffer.data() + state.begin, state.end - state.begin);
    const size_t at = text.substr(searched).rfind('\n');
    if (at != std::string_view::npos) last = text.data() + searched + at;
    searched = text.size();
    if (last == nullptr && text.size() > kMostLineBytes) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": line {} has more than {} bytes; is it a file of "
                              "lines?",
                              state.name, state.lines + 1, kMostLineBytes));
    }
  }
  // Up to the last line end, or to the end of the file.
  const char* at = state.buffer.data() + state.begin;
  const char* const end =
      last != nullptr && !state.is_at_end ? last + 1 : state.buffer.data() + state.end;
  while (at < end) {
    const auto* found =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
    const char* const next = found == nullptr ? end : found + 1;
    std::string_view line(at, static_cast<size_t>((found == nullptr ? end : found) - at));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t key, state.KeyOf(line, ++state.lines));
    batch.keys.push_back(key);
    batch.lines.push_back(line);
    at = next;
  }
  state.begin = static_cast<size_t>(end - state.buffer.data());
  return {};
}

}  // namespace zhiwen
