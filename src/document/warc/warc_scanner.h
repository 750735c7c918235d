#ifndef ZHIWEN_DOCUMENT_WARC_WARC_SCANNER_H_
#define ZHIWEN_DOCUMENT_WARC_WARC_SCANNER_H_

// Cuts a WARC file into capture groups, without reading payloads.
//
// A capture group is the records of one capture, which stand one behind another: a response,
// resource, conversion (a text of a WET file) or revisit, and the request and metadata records that
// belong to it, before or behind it. Records belong together when WARC-Concurrent-To, of a request
// or metadata also WARC-Refers-To, names another one of them, or the same third one; a record
// without these belongs to its neighbours by the same WARC-Target-URI, unless one of them names a
// record that is not there. A group has at most one response, resource, conversion or revisit, by
// address at most one request, and at most 256 records. Every other record is a group of its own.
//
// In          decompressed bytes, piece by piece, or whole
// Guarantees  every byte is in a group. Groups begin where records do
// (document/warc/warc_record.h),
//             apart from what stands before the first record, which belongs to the first group. The
//             groups behind the end of a group are the same when scanning begins anew there, and do
//             not depend on how the bytes are cut into pieces
// Cost        payloads are not looked at; memory of one header, at most kMaxWarcHeaderBytes, and of
//             the ids of a group
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/warc/warc_record.h"

namespace zhiwen {

// The ids and the address of a group's records so far.
class CaptureMembers {
 public:
  // Begins another group with a record.
  void Begin(const WarcHeader& header);
  // Returns whether a record belongs to the group, and adds it then.
  bool Take(const WarcHeader& header);

 private:
  void Add(const WarcHeader& header);
  bool IsLinked(const WarcHeader& header) const;
  bool IsAtSameAddress(const WarcHeader& header) const;

  bool is_alone_ = false;  // no other record belongs to it
  bool has_content_ = false, has_request_ = false;
  size_t count_ = 0;
  std::string target_uri_;
  std::vector<std::string> ids_, named_;
};

class WarcScanner {
 public:
  static constexpr size_t kNone = SIZE_MAX;

  // Forgets everything; the next piece begins a group.
  void Restart();

  // Scans the whole piece. Returns the end of the last group whose end this piece shows, or kNone.
  // Unlike in CsvScanner, the end counts from the first byte since Restart: that a group has ended
  // is seen by the header of the next one, which may begin in an earlier piece.
  size_t FindLastEnd(std::string_view piece);

  // Returns the end of the first group, counted in the same way, or kNone. After it returns an end,
  // the scanner must be restarted.
  size_t FindFirstEnd(std::string_view piece);

  // Returns the bytes from the end returned last to the piece that showed it; empty when the end
  // lies in that piece. They are the first bytes of the next group, for callers that do not keep
  // earlier pieces. Valid until the next call.
  std::string_view before_piece() const { return before_piece_; }

  // Ends the input: what stands behind the last end is the last group. Returns whether that group
  // is whole, which it is not where the input ends in a header or in a payload.
  bool EndInput() const { return records_.is_whole(); }

 private:
  enum class Wanted : uint8_t { kFirst, kLast };
  template <Wanted wanted>
  size_t Find(std::string_view piece);

  WarcRecordScanner records_;
  CaptureMembers members_;
  bool has_group_ = false;
  uint64_t scanned_ = 0;  // bytes of earlier pieces
  std::string before_piece_;
};

// Cuts the groups off the front of bytes that begin with one and end with one.
class WarcCutter {
 public:
  explicit WarcCutter(std::string_view bytes) : bytes_(bytes) {}

  // Returns the next group. Returns an empty view at the end.
  std::string_view Next();

 private:
  std::string_view bytes_;
  WarcScanner scanner_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_WARC_SCANNER_H_
