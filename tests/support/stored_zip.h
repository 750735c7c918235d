#ifndef ZHIWEN_TESTS_SUPPORT_STORED_ZIP_H_
#define ZHIWEN_TESTS_SUPPORT_STORED_ZIP_H_

// Zip archives whose members are not compressed, written byte by byte.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zhiwen {

inline uint32_t ZipChecksum(std::string_view bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  }
  return ~crc;
}

inline void AppendLittle(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xFF);
}

inline std::string StoredZip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string zip, directory;
  for (const auto& [path, bytes] : members) {
    std::string fields;  // what a member and its entry in the directory share
    AppendLittle(fields, 20, 2);
    AppendLittle(fields, 0, 2);
    AppendLittle(fields, 0, 2);
    AppendLittle(fields, 0x00210000, 4);  // 1980-01-01
    AppendLittle(fields, ZipChecksum(bytes), 4);
    AppendLittle(fields, static_cast<uint32_t>(bytes.size()), 4);
    AppendLittle(fields, static_cast<uint32_t>(bytes.size()), 4);
    AppendLittle(fields, static_cast<uint32_t>(path.size()), 2);
    AppendLittle(fields, 0, 2);
    directory += "PK\x01\x02";
    AppendLittle(directory, 20, 2);
    directory += fields;
    AppendLittle(directory, 0, 2);
    AppendLittle(directory, 0, 2);
    AppendLittle(directory, 0, 2);
    AppendLittle(directory, 0, 4);
    AppendLittle(directory, static_cast<uint32_t>(zip.size()), 4);
    directory += path;
    zip += "PK\x03\x04" + fields + path + bytes;
  }
  const auto at = static_cast<uint32_t>(zip.size());
  zip += directory;
  zip += "PK\x05\x06";
  AppendLittle(zip, 0, 4);
  AppendLittle(zip, static_cast<uint32_t>(members.size()), 2);
  AppendLittle(zip, static_cast<uint32_t>(members.size()), 2);
  AppendLittle(zip, static_cast<uint32_t>(directory.size()), 4);
  AppendLittle(zip, at, 4);
  AppendLittle(zip, 0, 2);
  return zip;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_STORED_ZIP_H_
