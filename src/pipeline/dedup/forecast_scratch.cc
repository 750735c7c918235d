#include "pipeline/dedup/forecast_scratch.h"

#include <algorithm>
#include <cmath>

#include "base/compress/frame_writer.h"
#include "index/band_scan.h"
#include "pipeline/dedup/set_pass.h"

namespace zhiwen {
namespace {

// base/scratch: what a spool is filling is in memory.
constexpr double kChunk = 256 << 10;
// A frame has a header.
constexpr double kFrameShare = 1 + 24.0 / kChunk;
// A row that is sorted takes so much beside its bytes, and so much of it on disk.
constexpr double kSortedRow = 17, kSortedLength = 1;
constexpr double kCollapseRow = 32, kIdRow = 16, kExactRow = 24, kCopyRow = 8;
// Without a row: the program, its tables, and for each thread what it reads and parses.
constexpr double kProgram = 4 << 20, kThread = 3 << 20;
// A frame of outputs and what it becomes, for each thread and the one that waits.
constexpr double kFrame = 2.0 * kFrameBytes;
// What the allocator keeps of memory that was given back: of what is beyond the least, so much of
// it up to a limit; as measured (bench/run.py plan).
constexpr double kKeptBeyond = 64 << 20, kKeptShare = 0.7, kMostKept = 48 << 20;
// A shingle of a batch that is decided: its hash, and its part of the tables.
constexpr double kBytesPerShingle = 24;
constexpr double kDecidedShingle = 8.5, kDecidedDocument = 60;

class Model {
 public:
  explicit Model(double limit) : limit_(limit) {}

  struct Kind {
    std::string name;
    double in_memory = 0, on_disk = 0;
  };

  void SetLimit(double limit) {
    limit_ = limit;
    MakeRoom();
  }

  // Rows of a kind that are appended and stay; returns their place.
  size_t Add(std::string name, double bytes) {
    live_.push_back({std::move(name), bytes, 0});
    MakeRoom();
    return live_.size() - 1;
  }

  // Memory of others beside rows, until the next call.
  void Claim(double bytes) {
    claimed_ = bytes;
    MakeRoom();
  }

  void Save(size_t place) { Spill(live_[place]); }

  void Drop(size_t place) {
    Kind& kind = live_[place];
    disk_ -= kind.on_disk;
    kind = {};
  }

  // Rows that go to the disk and are gone after their stage.
  void Pass(const std::string& name, double bytes) {
    Write(name, bytes);
    disk_peak_ = std::max(disk_peak_, disk_ + bytes);
  }

  // Notes what is in memory now, with arrays and work of a stage.
  void Note(double beside) { memory_peak_ = std::max(memory_peak_, InMemory() + beside); }

  double InMemory() const {
    double sum = 0;
    for (const Kind& kind : live_) sum += kind.in_memory;
    return sum;
  }

  ExpectedScratch Take() const {
    ExpectedScratch out;
    for (const auto& [name, bytes] : written_) {
      out.written.emplace_back(name, static_cast<uint64_t>(bytes));
      out.total += out.written.back().second;
    }
    out.disk_peak = static_cast<uint64_t>(disk_peak_);
    const double kept = std::clamp((memory_peak_ - kKeptBeyond) * kKeptShare, 0.0, kMostKept);
    out.memory_peak = static_cast<uint64_t>(memory_peak_ + kept);
    return out;
  }

 private:
  // As Scratch does: the largest holders of memory go first.
  void MakeRoom() {
    while (InMemory() + claimed_ > limit_) {
      const auto largest = std::ranges::max_element(live_, {}, &Kind::in_memory);
      if (largest == live_.end() || largest->in_memory <= kChunk) return;
      Spill(*largest);
    }
  }

  // What is being filled stays.
  void Spill(Kind& kind) {
    const double bytes = std::max(kind.in_memory - kChunk / 2, 0.0);
    kind.in_memory -= bytes;
    kind.on_disk += bytes;
    disk_ += bytes;
    disk_peak_ = std::max(disk_peak_, disk_);
    Write(kind.name, bytes * kFrameShare);
  }

  void Write(const std::string& name, double bytes) {
    if (bytes <= 0) return;
    for (auto& [known, sum] : written_) {
      if (known == name) {
        sum += bytes;
        return;
      }
    }
    written_.emplace_back(name, bytes);
  }

  double limit_;
  double claimed_ = 0, disk_ = 0, disk_peak_ = 0, memory_peak_ = 0;
  std::vector<Kind> live_;
  std::vector<std::pair<std::string, double>> written_;
};

class Stages {
 public:
  Stages(const ExpectedRows& rows, const ScratchOptions& options)
      : rows_(rows),
        options_(options),
        model_(static_cast<double>(options.before)),
        work_(static_cast<double>(options.memory.work)),
        beside_(kProgram + kThread * static_cast<double>(options.threads)) {}

  ExpectedScratch Run() {
    FirstPass();
    Rank();
    Collapse();
    Candidates();
    Sets();
    Decide();
    Finish();
    return model_.Take();
  }

 private:
  void FirstPass() {
    std::vector<size_t> places;
    places.reserve(rows_.first_pass.size() + rows_.bands);
    for (const auto& [name, bytes] : rows_.first_pass) places.push_back(model_.Add(name, bytes));
    for (uint64_t band = 0; band < rows_.bands; ++band) {
      places.push_back(
          model_.Add("band keys", rows_.band_bytes / static_cast<double>(rows_.bands)));
    }
    model_.Note(beside_);
    if (options_.is_saved) {
      for (const size_t place : places) model_.Save(place);
    }
    model_.SetLimit(static_cast<double>(options_.memory.scratch));
    const size_t ids = model_.Add("ids by range", rows_.ids * kIdRow);
    model_.Note(beside_ + std::min(work_ / 2, rows_.ids * (kIdRow + 32)));
    model_.Drop(ids);
  }

  // Rows that are sorted by `bytes` of keys.
  void Rank() {
    const double need = rows_.rank_key_bytes + rows_.documents * kSortedRow;
    if (need > work_) {
      model_.Pass("sorted ranks", rows_.rank_key_bytes + rows_.documents * kSortedLength);
    }
    model_.Claim(std::min(need, work_));
    model_.Note(beside_ + std::min(need, work_) + 4 * rows_.documents);
    model_.Claim(0);
  }

  void Collapse() {
    const size_t rows = model_.Add("equal texts", rows_.documents * kCollapseRow);
    model_.Note(beside_ + std::min(work_ / 2, rows_.documents * (kCollapseRow + 16)) +
                8 * rows_.documents);
    model_.Drop(rows);
  }

  void Candidates() {
    members_ = model_.Add("members of buckets", rows_.members * sizeof(BucketMember));
    const double scans = std::min(
        work_, static_cast<double>(options_.threads) * rows_.documents * 2 +
                   rows_.members * 100 / static_cast<double>(std::max<uint64_t>(rows_.bands, 1)));
    model_.Note(beside_ + scans + 12 * rows_.documents);
  }

  void Sets() {
    sets_ = model_.Add("shingle sets", rows_.sets * sizeof(SetRow) + rows_.set_shingles * 8);
    const size_t exact = model_.Add("copies to look at", rows_.copies_to_look_at * kExactRow);
    if (options_.is_saved) {
      model_.Save(sets_);
      model_.Save(exact);
    }
    const double batches = rows_.set_shingles * kBytesPerShingle / std::max(work_, 1.0);
    const double buffers = std::min(work_ / 2, std::ceil(batches) * kChunk);
    model_.Note(beside_ + buffers + 20 * rows_.documents);
  }

  void Decide() {
    model_.Add("members by batch", rows_.members * sizeof(BucketMember));
    const size_t overlaps =
        model_.Add("decisions", rows_.representatives_removed * sizeof(OverlapRow));
    if (options_.is_saved) model_.Save(overlaps);
    const double batch = std::min(work_ / kBytesPerShingle, rows_.set_shingles);
    const double share = rows_.set_shingles > 0 ? batch / rows_.set_shingles : 0;
    const double deciding =
        batch * kDecidedShingle +
        share * (rows_.sets * kDecidedDocument + rows_.members * 3 * sizeof(BucketMember));
    model_.Note(beside_ + deciding + 20 * rows_.documents);
    model_.Drop(sets_);
  }

  void Finish() {
    const size_t rows = model_.Add("removals by range", rows_.removed * sizeof(RemovalRow));
    const size_t overlaps =
        model_.Add("decisions by range", rows_.representatives_removed * sizeof(OverlapRow));
    const size_t copies = model_.Add("copies by range", rows_.removed * kCopyRow / 2);
    model_.Drop(overlaps);
    model_.Drop(copies);
    model_.Add("removals", rows_.removed * sizeof(RemovalRow));
    model_.Drop(rows);
    model_.Add("names of keepers", rows_.removed * rows_.label_bytes);
    const double frames =
        options_.is_compressed ? kFrame * static_cast<double>(options_.threads + 1) : 0;
    model_.Note(beside_ + frames + 16 * rows_.documents);
  }

  const ExpectedRows& rows_;
  const ScratchOptions& options_;
  Model model_;
  const double work_, beside_;
  size_t members_ = 0, sets_ = 0;
};

}  // namespace

ExpectedScratch ExpectScratch(const ExpectedRows& rows, const ScratchOptions& options) {
  return Stages(rows, options).Run();
}

}  // namespace zhiwen
