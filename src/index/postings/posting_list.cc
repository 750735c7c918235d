#include "index/postings/posting_list.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "base/coding.h"

namespace zhiwen {

tl::unexpected<Error> ImpossiblePostings(const BlockFile& file, std::string_view what) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": {}; the file is damaged", file.path(), what));
}

Result<PostingList> PostingList::Open(const BlockFile& file, const BlockSection& lists,
                                      uint64_t documents_end, const FeatureEntry& entry) {
  PostingList list(file, lists, documents_end, entry);
  if (!entry.is_list) {
    if (entry.at < documents_end) return list;
    return ImpossiblePostings(file, "section \"features\" has a document beyond all");
  }
  if (list.begin() > lists.size()) {
    return ImpossiblePostings(file, "a list lies outside of section \"lists\"");
  }
  const uint64_t front = list.begin() - sizeof(uint32_t);
  if (!lists.Touch(front, sizeof(uint32_t))) return lists.Damaged(front);
  list.frequency_ = *reinterpret_cast<const uint32_t*>(lists.data() + front);
  list.blocks_ = BlocksOfList(list.frequency_);
  if (list.frequency_ < 2 || list.frequency_ > documents_end) {
    return ImpossiblePostings(file, "a list of section \"lists\" is of so many documents");
  }
  const uint64_t bytes = list.blocks_ * sizeof(PostingBlock);
  if (bytes > lists.size() - list.begin()) {
    return ImpossiblePostings(file, "a list lies outside of section \"lists\"");
  }
  if (!lists.Touch(list.begin(), bytes)) return lists.Damaged(list.begin());
  return list;
}

Result<std::span<const uint32_t>> PostingList::Read(uint64_t block, Documents& room) const {
  if (!entry_.is_list) {
    room[0] = entry_.at;
    return std::span<const uint32_t>(room).first(1);
  }
  const PostingBlock header = headers()[block];
  const uint32_t widths = block > 0 ? headers()[block - 1].widths : 0;
  const uint32_t width = header.widths - widths;
  const uint64_t count = std::min<uint64_t>(kPostingBlock, frequency_ - block * kPostingBlock);
  const uint64_t at = begin() + blocks_ * sizeof(PostingBlock) + BytesOfBlocks(widths);
  const uint64_t bytes = ((count - 1) * width + 7) / 8;
  if (widths > header.widths || width > 32 || at + bytes + kUnpackSlack > lists_->size()) {
    return ImpossiblePostings(*file_, "a list of section \"lists\" has a block that cannot be");
  }
  if (!lists_->Touch(at, bytes)) return lists_->Damaged(at);
  ActiveKernels().unpack_ascending(lists_->data() + at, width, header.first, count, room.data());
  const auto documents = std::span<const uint32_t>(room).first(count);
  // Gaps of few bits usually cannot exceed 32 bits, and so cannot wrap around to small numbers.
  const bool may_wrap = header.first + ((count - 1) << width) >= uint64_t{1} << 32;
  if ((may_wrap && std::adjacent_find(documents.begin(), documents.end(), std::greater_equal<>()) !=
                       documents.end()) ||
      documents.back() >= Behind(block)) {
    return ImpossiblePostings(*file_, "documents of section \"lists\" are not in order");
  }
  return documents;
}

uint64_t PostingList::BlockOf(uint32_t document, uint64_t from) const {
  uint64_t low = from;
  uint64_t step = 1;
  for (; low + step < blocks_ && headers()[low + step].first <= document; step *= 2) low += step;
  uint64_t high = std::min(low + step, blocks_);
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (headers()[middle].first <= document ? low : high) = middle;
  }
  return low;
}

Status PostingList::FindAmong(std::span<const uint32_t> among,
                              std::vector<uint32_t>& places) const {
  Documents room;
  uint64_t block = 0;
  for (size_t i = 0; i < among.size();) {
    block = BlockOf(among[i], block);
    ZHIWEN_ASSIGN_OR_RETURN(const std::span<const uint32_t> documents, Read(block, room));
    auto at = documents.begin();
    do {
      at = std::lower_bound(at, documents.end(), among[i]);
      if (at != documents.end() && *at == among[i]) places.push_back(static_cast<uint32_t>(i));
    } while (++i < among.size() && among[i] < Behind(block));
  }
  return {};
}

Result<uint64_t> PositionReader::Number() {
  constexpr uint64_t kMostBytes = 10;
  if (at_ >= positions_->size()) {
    return ImpossiblePostings(*file_, "positions lie outside of section \"positions\"");
  }
  const uint64_t bytes = std::min(kMostBytes, positions_->size() - at_);
  if (!positions_->Touch(at_, bytes)) return positions_->Damaged(at_);
  Decoder decoder({positions_->values<char>() + at_, bytes});
  const Result<uint64_t> number = decoder.Varint();
  if (!number) return ImpossiblePostings(*file_, "a number of section \"positions\" cannot be");
  at_ += bytes - decoder.rest().size();
  return *number;
}

Status PositionReader::Next(std::vector<uint32_t>& positions) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t front, Number());
  uint64_t more = 0;
  if (front % 2 == 1) {
    ZHIWEN_ASSIGN_OR_RETURN(more, Number());
    if (more >= positions_->size()) {
      return ImpossiblePostings(*file_, "a document has more positions than section \"positions\"");
    }
    ++more;
  }
  uint64_t position = front / 2;
  for (uint64_t i = 0;; ++i) {
    if (position >> 32 != 0) {
      return ImpossiblePostings(*file_, "a position of section \"positions\" cannot be");
    }
    positions.push_back(static_cast<uint32_t>(position));
    if (i == more) return {};
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t gap, Number());
    if (gap >> 32 != 0) {
      return ImpossiblePostings(*file_, "a gap of section \"positions\" cannot be");
    }
    position += gap + 1;
  }
}

}  // namespace zhiwen
