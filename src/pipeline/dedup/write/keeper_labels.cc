#include "pipeline/dedup/write/keeper_labels.h"

#include <cstring>
#include <string>
#include <string_view>

#include "base/scratch/row_sorter.h"

namespace zhiwen {
namespace {

constexpr uint64_t kStride = 1 << 14;

void PutBigEndian(uint32_t value, std::string& out) {
  value = __builtin_bswap32(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

uint32_t TakeBigEndian(std::string_view& row) {
  uint32_t value = 0;
  std::memcpy(&value, row.data(), sizeof(value));
  row.remove_prefix(sizeof(value));
  return __builtin_bswap32(value);
}

// Labels by ascending place.
class LabelWalk {
 public:
  explicit LabelWalk(const Labels& labels) : reader_(labels) {}

  Status To(uint32_t place) {
    for (; next_ <= place; ++next_) ZHIWEN_RETURN_IF_ERROR(reader_.Next(label));
    return {};
  }

  DocumentLabel label;

 private:
  Labels::Reader reader_;
  uint64_t next_ = 0;
};

// Rows of both sorts begin with what they are sorted by: (kind of keeper, keeper, place of the
// removal), then (place of the removal), with the label behind it.
class Join {
 public:
  Join(const Labels& labels, const References* references, const DedupEnvironment& environment)
      : labels_(labels), references_(references), environment_(environment) {}

  Status Ask(const Removals& removals, RowSorter& asked) {
    uint32_t place = 0;
    for (Spool::Reader reader(*removals.rows); !reader.AtEnd(); ++place) {
      if (place % kStride == 0) ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      RemovalRow removal;
      ZHIWEN_RETURN_IF_ERROR(reader.ReadRow(removal));
      row_.assign(1, removal.against ? '\1' : '\0');
      PutBigEndian(removals.KeeperOf(removal), row_);
      PutBigEndian(place, row_);
      ZHIWEN_RETURN_IF_ERROR(asked.Add(row_));
    }
    return asked.Sort();
  }

  Status Answer(RowSorter& asked, RowSorter& answers) {
    LabelWalk inputs(labels_);
    LabelWalk references(references_ == nullptr ? labels_ : references_->labels());
    std::string_view ask;
    for (uint64_t count = 0;; ++count) {
      if (count % kStride == 0) ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
      ZHIWEN_ASSIGN_OR_RETURN(const bool more, asked.Next(ask));
      if (!more) break;
      LabelWalk& walk = ask.front() == '\0' ? inputs : references;
      ask.remove_prefix(1);
      ZHIWEN_RETURN_IF_ERROR(walk.To(TakeBigEndian(ask)));
      row_.assign(ask);
      row_.append(reinterpret_cast<const char*>(&walk.label.file), sizeof(walk.label.file));
      row_.append(reinterpret_cast<const char*>(&walk.label.record), sizeof(walk.label.record));
      row_ += walk.label.id;
      ZHIWEN_RETURN_IF_ERROR(answers.Add(row_));
    }
    return answers.Sort();
  }

 private:
  const Labels& labels_;
  const References* references_;
  const DedupEnvironment& environment_;
  std::string row_;
};

Status AppendAnswers(RowSorter& answers, Labels& out) {
  std::string_view row;
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, answers.Next(row));
    if (!more) return {};
    TakeBigEndian(row);
    uint32_t file = 0;
    std::memcpy(&file, row.data(), sizeof(file));
    row.remove_prefix(sizeof(file));
    uint64_t record = 0;
    std::memcpy(&record, row.data(), sizeof(record));
    row.remove_prefix(sizeof(record));
    ZHIWEN_RETURN_IF_ERROR(out.Append(file, record, row));
  }
}

}  // namespace

Result<KeeperLabels> KeeperLabels::Make(const RunContext& run, const Removals& removals,
                                        const References* references) {
  KeeperLabels out;
  ZHIWEN_ASSIGN_OR_RETURN(out.rows_, Spool::Create(run.scratch, "keeper_labels"));
  out.labels_ = std::make_unique<Labels>(*out.rows_);
  Join join(*run.spools.labels, references, run.environment);
  ZHIWEN_ASSIGN_OR_RETURN(auto answers,
                          RowSorter::Create(run.scratch, "keeper_answers", run.work_bytes / 2));
  {
    ZHIWEN_ASSIGN_OR_RETURN(const auto asked,
                            RowSorter::Create(run.scratch, "keepers_asked", run.work_bytes / 2));
    ZHIWEN_RETURN_IF_ERROR(join.Ask(removals, *asked));
    ZHIWEN_RETURN_IF_ERROR(join.Answer(*asked, *answers));
  }
  ZHIWEN_RETURN_IF_ERROR(AppendAnswers(*answers, *out.labels_));
  return out;
}

}  // namespace zhiwen
