#include "document/office/zip_archive.h"

#include <algorithm>

#include <fmt/format.h>
#include <zip.h>

namespace zhiwen {
namespace {

// A directory of this size has more members than are read; libzip would hold all of them.
constexpr uint32_t kMostDirectoryBytes = 4 << 20;
constexpr size_t kDirectoryEndBytes = 22;
constexpr size_t kMostCommentBytes = 0xFFFF;
constexpr size_t kDirectorySizeAt = 12;
constexpr std::string_view kDirectoryEnd("PK\x05\x06", 4);
constexpr std::string_view kLongDirectoryEnd("PK\x06\x07", 4);

constexpr size_t kReadBytes = 256 << 10;

uint32_t LittleEndian32(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Refuses directories that are too large before libzip reads them: every place where one may end.
Status CheckDirectorySize(std::string_view bytes) {
  const size_t tail = std::min(bytes.size(), kDirectoryEndBytes + kMostCommentBytes + 20);
  const std::string_view last = bytes.substr(bytes.size() - tail);
  bool found = false;
  for (size_t at = last.find(kDirectoryEnd); at != std::string_view::npos;
       at = last.find(kDirectoryEnd, at + 1)) {
    if (last.size() - at < kDirectoryEndBytes) break;
    found = true;
    if (LittleEndian32(last.substr(at + kDirectorySizeAt)) > kMostDirectoryBytes) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("an archive of more than {} members is not read", kMostMembers));
    }
  }
  if (!found) {
    return Fail(ErrorCode::kUnreadable,
                "it is a damaged zip archive: its directory is missing, the file may be cut off; "
                "get it again");
  }
  if (last.find(kLongDirectoryEnd) != std::string_view::npos) {
    return Fail(ErrorCode::kUnreadable,
                "it is a zip archive of the long form (zip64), which no document needs; save it "
                "again");
  }
  return {};
}

Error DamagedMember(std::string_view path, std::string_view why) {
  return {ErrorCode::kUnreadable,
          fmt::format("it is damaged: {} cannot be unpacked ({}); get it again, or open it and "
                      "save it again",
                      path, why)};
}

struct MemberCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

void ZipArchive::Closer::operator()(zip* archive) const { zip_discard(archive); }

bool BeginsAsZip(std::string_view head) { return head.starts_with("PK\x03\x04"); }

Result<ZipArchive> ZipArchive::Open(std::string_view bytes) {
  ZHIWEN_RETURN_IF_ERROR(CheckDirectorySize(bytes));
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* const archive =
      source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return Fail(ErrorCode::kUnreadable,
                fmt::format("it is a damaged zip archive ({}); get it again", why));
  }
  zip_error_fini(&error);
  ZipArchive opened(archive);
  if (static_cast<uint64_t>(zip_get_num_entries(archive, 0)) > kMostMembers) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("an archive of more than {} members is not read", kMostMembers));
  }
  return opened;
}

int64_t ZipArchive::Locate(std::string_view path) const {
  const std::string name(path);
  const int64_t exact = zip_name_locate(archive_.get(), name.c_str(), 0);
  return exact >= 0 ? exact : zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_NOCASE);
}

bool ZipArchive::Has(std::string_view path) const { return Locate(path) >= 0; }

Result<std::string> ZipArchive::Read(std::string_view path) {
  const int64_t index = Locate(path);
  zip_stat_t stat;
  if (index < 0 || zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &stat) < 0) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("it is damaged: {} is missing; open it and save it again", path));
  }
  if (stat.encryption_method != ZIP_EM_NONE) {
    return Fail(ErrorCode::kUnreadable, "it is encrypted; save it without a password");
  }
  if (++reads_ > kMostMembers || stat.size > kMostUnpackedBytes - unpacked_) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("an archive that unpacks to more than {} MiB is not read",
                            kMostUnpackedBytes >> 20));
  }
  const std::unique_ptr<zip_file_t, MemberCloser> file(
      zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  if (file == nullptr) {
    return tl::unexpected(DamagedMember(path, zip_error_strerror(zip_get_error(archive_.get()))));
  }
  std::string bytes;  // grows with what is there, not with what the directory says
  for (;;) {
    const size_t begin = bytes.size();
    bytes.resize(begin + kReadBytes);
    const zip_int64_t count = zip_fread(file.get(), bytes.data() + begin, kReadBytes);
    if (count < 0) {
      return tl::unexpected(
          DamagedMember(path, zip_error_strerror(zip_file_get_error(file.get()))));
    }
    bytes.resize(begin + static_cast<size_t>(count));
    if (bytes.size() > stat.size) {
      return tl::unexpected(DamagedMember(path, "it is larger than the directory says"));
    }
    if (count == 0) break;
  }
  unpacked_ += bytes.size();
  return bytes;
}

}  // namespace zhiwen
