#ifndef ZHIWEN_DOCUMENT_WARC_WARC_RECORD_H_
#define ZHIWEN_DOCUMENT_WARC_WARC_RECORD_H_

// Finds the records of a WARC file (ISO 28500, versions 0.17 to 1.1) by their headers.
//
// In          decompressed bytes, piece by piece, or whole
// Guarantees  a payload is passed over by its Content-Length, whatever it holds. Behind it, line
//             ends of any number are accepted, also none. Where no record begins behind them, or
//             the length is not stated, the next record is what begins with "WARC/0." or "WARC/1."
//             in a line of its own; the bytes before it belong to the record before. Where records
//             begin does not depend on how the bytes are cut into pieces. Any bytes are accepted
// Cost        payloads are not looked at; memory of one header, at most kMaxWarcHeaderBytes
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

enum class WarcRecordType : uint8_t {
  kWarcinfo,
  kResponse,
  kResource,
  kRequest,
  kMetadata,
  kRevisit,
  kConversion,    // what another program made of a record: the texts of WET files
  kContinuation,  // a later segment of a record
  kOther,
};

// Returns whether such a record is what a capture is about. Others describe one, or the file.
constexpr bool HasContent(WarcRecordType type) {
  using enum WarcRecordType;
  return type == kResponse || type == kResource || type == kConversion || type == kRevisit;
}

// A longer header is damaged.
inline constexpr size_t kMaxWarcHeaderBytes = size_t{1} << 20;

// The fields of a header, the first of each name. Views of the header; ids and addresses without
// the angle brackets around them.
struct WarcHeader {
  WarcRecordType type = WarcRecordType::kOther;
  std::optional<uint64_t> content_length = {};  // nothing: absent, or not a number
  std::string_view record_id = {}, target_uri = {}, date = {}, content_type = {};
  std::string_view identified_payload_type = {}, truncated = {}, segment_number = {};
  std::vector<std::string_view> concurrent_to = {};  // at most 16
  std::string_view refers_to = {};
};

// Reads the header that `bytes` begins with. Fields that are absent are empty.
WarcHeader ParseWarcHeader(std::string_view bytes);

// Returns whether `head`, the first bytes of a file, are those of a WARC file.
bool BeginsAsWarc(std::string_view head);

class WarcRecordScanner {
 public:
  // Forgets everything; the next piece begins a record.
  void Restart();

  // Scans `piece` from `at` on, up to the end of the next header, and moves `at` behind what was
  // scanned. Returns whether a header ended there. The pieces are given one after another, and each
  // until this returns false, which means that it is used up.
  bool FindHeader(std::string_view piece, size_t& at);

  // The header found last, until the next call of FindHeader.
  std::string_view header_bytes() const { return header_bytes_; }
  const WarcHeader& header() const { return header_; }
  // Counts from the first byte since Restart.
  uint64_t record_begin() const { return record_begin_; }

  // Returns how many of the last bytes are, as far as they go, the header of another record.
  size_t unfinished_bytes() const { return is_given_ ? 0 : header_bytes_.size(); }
  // Returns, at the end of the input, whether the last record is whole.
  bool is_whole() const {
    return any_record_ && state_ == State::kBetween && unfinished_bytes() == 0;
  }

 private:
  // kBetween: nothing but line ends since the payload. kSearch: something else.
  enum class State : uint8_t { kBetween, kSearch, kHeader, kPayload };
  void TakeBetween(std::string_view piece, size_t& at);
  void TakeByteBetween(char c);
  bool TakeHeader(std::string_view piece, size_t& at);
  bool begins_line() const { return state_ == State::kBetween || after_line_end_; }

  State state_ = State::kBetween;
  bool after_line_end_ = false;  // kSearch: the last byte was a line end
  bool any_record_ = false;
  bool is_given_ = false;     // the header was handed out, and the next call forgets it
  std::string header_bytes_;  // as much of a header as was scanned
  WarcHeader header_;
  uint64_t record_begin_ = 0;
  uint64_t payload_left_ = 0;
  uint64_t scanned_ = 0;
};

// What is wrong with the bytes of a record.
enum class WarcDamage : uint8_t {
  kNone,
  kHeader,  // the header states no length, or has no end
  kCut,     // the bytes end before the payload does
  kLength,  // something else than a record follows the payload: its length is wrong
};

struct WarcRecord {
  size_t begin = 0, payload_begin = 0, end = 0;
  std::string_view payload = {};  // as long as stated, or as there are bytes
  WarcHeader header = {};         // views of the bytes
  WarcDamage damage = WarcDamage::kNone;
};

// Returns the records of `bytes`, which are whole ones. Views of `bytes`.
std::vector<WarcRecord> FindWarcRecords(std::string_view bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_WARC_RECORD_H_
