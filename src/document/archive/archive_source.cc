#include "document/archive/archive_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <locale.h>

#include "base/utf8/utf8.h"
#include "document/archive/tar_entry.h"
#include "document/decoded_text.h"
#include "document/office/office_type.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;
constexpr std::string_view kSevenZip("7z\xBC\xAF\x27\x1C", 6);
constexpr uint64_t kMostRestarts = 100;         // behind damaged members
constexpr size_t kKeptBytes = size_t{1} << 20;  // a larger buffer is given back

// libarchive gives names in the encoding of the thread's locale: while this lives, that is UTF-8.
class Utf8Names {
 public:
  Utf8Names() : before_(uselocale(Locale())) {}
  ~Utf8Names() { uselocale(before_); }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  static locale_t Locale() {
    static const locale_t kLocale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return kLocale;
  }
  locale_t before_;
};

// The bytes of an archive, as libarchive takes them.
class ArchiveBytes {
 public:
  ArchiveBytes(std::unique_ptr<ReadableFile> file, std::optional<uint64_t> size)
      : path_(file->path()), file_(std::move(file)), size_(size) {}
  ArchiveBytes(std::string path, std::string first, std::unique_ptr<ByteSource> rest)
      : path_(std::move(path)), first_(std::move(first)), rest_(std::move(rest)) {}

  const std::string& path() const { return path_; }
  const std::optional<uint64_t>& size() const { return size_; }
  bool can_seek() const { return size_.has_value(); }
  const std::optional<Error>& error() const { return error_; }
  // Of the file, for progress.
  uint64_t file_bytes_read() const { return rest_ ? rest_->file_bytes_read() : at_; }
  void GoToBegin() { at_ = 0; }

  static la_ssize_t Read(archive* reader, void* self, const void** out) {
    return static_cast<ArchiveBytes*>(self)->ReadPiece(reader, out);
  }

  static la_int64_t Skip(archive* /*reader*/, void* self, la_int64_t count) {
    return static_cast<ArchiveBytes*>(self)->SkipForward(count);
  }

  static la_int64_t Seek(archive* /*reader*/, void* self, la_int64_t offset, int whence) {
    auto& bytes = *static_cast<ArchiveBytes*>(self);
    const auto size = static_cast<la_int64_t>(*bytes.size_);
    la_int64_t from = 0;
    if (whence == SEEK_CUR) from = static_cast<la_int64_t>(bytes.at_);
    if (whence == SEEK_END) from = size;
    if (offset < -from) return ARCHIVE_FATAL;
    bytes.at_ = static_cast<uint64_t>(std::min(from + offset, size));
    return static_cast<la_int64_t>(bytes.at_);
  }

 private:
  la_ssize_t ReadPiece(archive* reader, const void** out) {
    buffer_.resize(kPieceBytes);
    *out = buffer_.data();
    size_t count = 0;
    if (error_) return FailRead(reader);
    if (at_ < first_.size()) {
      count = std::min(buffer_.size(), first_.size() - static_cast<size_t>(at_));
      std::memcpy(buffer_.data(), first_.data() + at_, count);
    } else {
      Result<size_t> read = file_ ? file_->ReadAt(at_, buffer_) : rest_->Read(buffer_);
      if (!read && rest_) count = rest_->before_failure().bytes;
      if (read) {
        count = *read;
      } else {
        error_ = std::move(read).error();
        if (count == 0) return FailRead(reader);
      }
    }
    at_ += count;
    return static_cast<la_ssize_t>(count);
  }

  la_ssize_t FailRead(archive* reader) const {
    archive_set_error(reader, EIO, "%s", error_->message.c_str());
    return ARCHIVE_FATAL;
  }

  // Only a file is passed over without reading it.
  la_int64_t SkipForward(la_int64_t count) {
    if (!size_) return 0;
    const uint64_t left = *size_ - std::min(at_, *size_);
    const uint64_t passed = std::min(static_cast<uint64_t>(count), left);
    at_ += passed;
    return static_cast<la_int64_t>(passed);
  }

  const std::string path_;
  const std::unique_ptr<ReadableFile> file_;
  const std::optional<uint64_t> size_ = {};
  const std::string first_;
  const std::unique_ptr<ByteSource> rest_;
  std::vector<char> buffer_;
  uint64_t at_ = 0;
  std::optional<Error> error_;
};

struct ArchiveCloser {
  void operator()(archive* reader) const { archive_read_free(reader); }
};
using ArchiveReader = std::unique_ptr<archive, ArchiveCloser>;

std::string WhyOf(archive* reader) {
  const char* const why = archive_error_string(reader);
  return why == nullptr ? "no reason is known" : ReplaceBrokenUtf8(why);
}

std::string NameOf(archive_entry* entry) {
  const char* const raw = archive_entry_pathname(entry);
  std::string name = raw == nullptr ? "" : raw;
  if (IsValidUtf8(name)) return name;
  const Result<DecodedText> decoded = DecodedText::Decode(name);
  return decoded ? std::string(decoded->text()) : ReplaceBrokenUtf8(name);
}

class ArchiveSource final : public ByteSource {
 public:
  ArchiveSource(std::unique_ptr<ArchiveBytes> bytes, const ArchiveOptions& options)
      : bytes_(std::move(bytes)), options_(options) {}

  Result<size_t> Read(std::span<char> out) override {
    size_t have = 0;
    while (have < out.size()) {
      for (std::string_view& part : pending_) {
        const size_t count = std::min(out.size() - have, part.size());
        if (count > 0) std::memcpy(out.data() + have, part.data(), count);
        have += count;
        part.remove_prefix(count);
      }
      if (have == out.size() || at_end_) return have;
      if (!error_) {
        const Status taken = TakeMember();
        if (taken) continue;
        error_ = taken.error();
      }
      before_failure_ = {.bytes = have, .ends_whole = true};
      return tl::unexpected(*error_);
    }
    return have;
  }

  BeforeFailure before_failure() const override { return before_failure_; }

  Status Skip(uint64_t count) override {
    std::vector<char> unwanted(kPieceBytes);
    while (count > 0) {
      const std::span<char> room(unwanted.data(), std::min<uint64_t>(count, unwanted.size()));
      ZHIWEN_ASSIGN_OR_RETURN(const size_t read, Read(room));
      if (read < room.size()) {
        return Fail(
            ErrorCode::kUnreadable,
            fmt::format("cannot read \"{}\": it has fewer members than before", bytes_->path()));
      }
      count -= read;
    }
    return {};
  }

  uint64_t file_bytes_read() const override { return bytes_->file_bytes_read(); }

 private:
  // Makes the next member pending, or sets at_end_.
  Status TakeMember() {
    const Utf8Names names;
    if (content_.capacity() > kKeptBytes) std::string().swap(content_);
    if (reader_ == nullptr) ZHIWEN_RETURN_IF_ERROR(Open());
    while (true) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(reader_.get(), &entry);
      if (status == ARCHIVE_RETRY) continue;
      at_end_ = status == ARCHIVE_EOF && !bytes_->error();
      if (at_end_) return {};
      if (status == ARCHIVE_EOF || status < ARCHIVE_WARN) return tl::unexpected(Broken());
      ++entries_;
      const bool is_file =
          archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
      if (is_file) return TakeFile(entry);
    }
  }

  Status TakeFile(archive_entry* entry) {
    TarEntry member{.name = NameOf(entry), .modified = archive_entry_mtime(entry)};
    ZHIWEN_ASSIGN_OR_RETURN(member.fault, ReadContent(entry));
    if (!member.fault) member.content = content_;
    head_.clear();
    AppendTarHead(member, head_);
    pending_ = {head_, member.content, TarPadding(member.content.size())};
    return {};
  }

  // Makes content_ the content of a member. Returns why it cannot be read.
  Result<std::optional<Error>> ReadContent(archive_entry* entry) {
    content_.clear();
    if (archive_entry_is_encrypted(entry) != 0) {
      return Error{ErrorCode::kUnreadable,
                   "it is encrypted; unpack the archive with its password first"};
    }
    const uint64_t most = options_.max_member_bytes;
    const uint64_t stated = archive_entry_size_is_set(entry) != 0
                                ? static_cast<uint64_t>(archive_entry_size(entry))
                                : 0;
    bool is_large = stated > most;
    if (is_large && CanPassOver()) return TooLarge();
    if (!is_large) content_.reserve(static_cast<size_t>(stated) + kPieceBytes);
    while (true) {
      const size_t have = is_large ? 0 : content_.size();
      content_.resize(have + kPieceBytes);
      const la_ssize_t count =
          archive_read_data(reader_.get(), content_.data() + have, kPieceBytes);
      content_.resize(have + static_cast<size_t>(std::max<la_ssize_t>(count, 0)));
      if (count < 0) return FaultOf(count);
      if (count == 0) break;
      unpacked_ += static_cast<uint64_t>(count);
      ZHIWEN_RETURN_IF_ERROR(CheckRatio());
      is_large = is_large || content_.size() > most;
    }
    return is_large ? std::optional(TooLarge()) : std::nullopt;
  }

  Error TooLarge() const {
    return {ErrorCode::kExhausted,
            fmt::format("it has more than {} bytes, which is more than is read of a member",
                        options_.max_member_bytes)};
  }

  // Whether what is not read costs nothing.
  bool CanPassOver() const {
    return bytes_->can_seek() && archive_filter_count(reader_.get()) == 1 &&
           archive_format(reader_.get()) != ARCHIVE_FORMAT_7ZIP;
  }

  // Archives that unpack to so much are made to fill memories and disks.
  Status CheckRatio() const {
    if (unpacked_ <= options_.free_bytes) return {};
    const uint64_t packed = bytes_->size().value_or(bytes_->file_bytes_read());
    if (unpacked_ / kMostArchiveRatio <= packed) return {};
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\" to its end: it unpacks to more than {} times its "
                            "size; unpack what is wanted of it, and give that",
                            bytes_->path(), kMostArchiveRatio));
  }

  // Why a member cannot be read; behind it the archive is read on. Fails where that cannot be.
  Result<std::optional<Error>> FaultOf(la_ssize_t status) {
    if (bytes_->error()) return tl::unexpected(*bytes_->error());
    Error fault{ErrorCode::kUnreadable, fmt::format("it is damaged ({})", WhyOf(reader_.get()))};
    if (status >= ARCHIVE_FAILED) return fault;
    if (!bytes_->can_seek() || ++restarts_ > kMostRestarts) return tl::unexpected(Broken());
    ZHIWEN_RETURN_IF_ERROR(Open());
    for (uint64_t i = 0; i < entries_; ++i) {
      archive_entry* entry = nullptr;
      if (archive_read_next_header(reader_.get(), &entry) < ARCHIVE_WARN) break;
    }
    return fault;
  }

  Status Open() {
    reader_.reset(archive_read_new());
    archive* const reader = reader_.get();
    if (reader == nullptr) throw std::bad_alloc();
    archive_read_support_format_zip(reader);
    archive_read_support_format_tar(reader);
    archive_read_support_format_7zip(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_bzip2(reader);
    bytes_->GoToBegin();
    archive_read_set_read_callback(reader, ArchiveBytes::Read);
    archive_read_set_skip_callback(reader, ArchiveBytes::Skip);
    if (bytes_->can_seek()) archive_read_set_seek_callback(reader, ArchiveBytes::Seek);
    archive_read_set_callback_data(reader, bytes_.get());
    const int status = archive_read_open1(reader);
    if (bytes_->error()) return tl::unexpected(*bytes_->error());
    if (status >= ARCHIVE_WARN) return {};
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is no archive that is read, which are zip, "
                            "tar and 7z",
                            bytes_->path()));
  }

  Error Broken() {
    if (bytes_->error()) return *bytes_->error();
    if (!bytes_->can_seek() && archive_format(reader_.get()) == ARCHIVE_FORMAT_7ZIP) {
      return {ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": a 7z archive is read from a file, and not from a "
                          "stream; name the file",
                          bytes_->path())};
    }
    return {ErrorCode::kUnreadable, fmt::format("cannot read \"{}\" behind its member {}: {}",
                                                bytes_->path(), entries_, WhyOf(reader_.get()))};
  }

  std::unique_ptr<ArchiveBytes> bytes_;  // the reader has a pointer to it
  const ArchiveOptions options_;
  ArchiveReader reader_;
  uint64_t entries_ = 0;  // read so far, folders too
  uint64_t restarts_ = 0, unpacked_ = 0;
  std::string head_, content_;                    // of the member
  std::array<std::string_view, 3> pending_ = {};  // of its entry: what was not given yet
  bool at_end_ = false;
  std::optional<Error> error_;
  BeforeFailure before_failure_;
};

}  // namespace

bool BeginsAsArchive(std::string_view head) {
  constexpr std::string_view kEmptyZip("PK\x05\x06", 4);
  if (BeginsAsZip(head)) return !BeginsAsPackage(head);
  return head.starts_with(kEmptyZip) || head.starts_with(kSevenZip) || BeginsAsTar(head);
}

Result<std::unique_ptr<ByteSource>> OpenArchive(std::unique_ptr<ReadableFile> file,
                                                Compression compression,
                                                std::optional<uint64_t> size,
                                                const ArchiveOptions& options) {
  if (compression != Compression::kNone) {
    std::string path = file->path();
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source,
                            OpenByteSource(std::move(file), compression));
    return OpenArchive({}, std::move(source), std::move(path), options);
  }
  return std::make_unique<ArchiveSource>(std::make_unique<ArchiveBytes>(std::move(file), size),
                                         options);
}

Result<std::unique_ptr<ByteSource>> OpenArchive(std::string first, std::unique_ptr<ByteSource> rest,
                                                std::string path, const ArchiveOptions& options) {
  return std::make_unique<ArchiveSource>(
      std::make_unique<ArchiveBytes>(std::move(path), std::move(first), std::move(rest)), options);
}

}  // namespace zhiwen
