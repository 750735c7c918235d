#include "pipeline/dedup/forecast/forecast_scratch.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/compress/frame_writer.h"
#include "index/bands/band_scan.h"
#include "pipeline/dedup/decide/set_pass.h"
#include "pipeline/dedup/input/large_blocks.h"

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
constexpr double kKeptBeyond = 64 << 20, kKeptShare = 0.7, kMostRetained = 48 << 20;
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

  // What is in memory beside rows from now on.
  void SetBeside(double bytes) { beside_ = bytes; }

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

  // Rows that are never in memory; returns their place.
  size_t AddOnDisk(std::string name, double bytes) {
    live_.push_back({std::move(name), 0, bytes});
    Write(live_.back().name, bytes);
    disk_ += bytes;
    disk_peak_ = std::max(disk_peak_, disk_);
    return live_.size() - 1;
  }

  // More rows of a kind that is on disk.
  void Write(size_t place, double bytes) {
    if (bytes <= 0) return;
    live_[place].on_disk += bytes;
    disk_ += bytes;
    disk_peak_ = std::max(disk_peak_, disk_);
    Write(live_[place].name, bytes * kFrameShare);
  }

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
    out.disk_end = static_cast<uint64_t>(std::max(disk_, 0.0));  // of differences
    const double kept = std::clamp((memory_peak_ - kKeptBeyond) * kKeptShare, 0.0, kMostRetained);
    out.memory_peak = static_cast<uint64_t>(memory_peak_ + kept);
    return out;
  }

 private:
  // As Scratch does: the largest holders of memory go first.
  void MakeRoom() {
    while (InMemory() + claimed_ > limit_) {
      // They grew up to it.
      if (limit_ > claimed_) Note(beside_ + limit_ - claimed_ - InMemory());
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
  double beside_ = 0;
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
  // Comes to the end of a stage of so many seconds. Returns the part of it after which it is
  // saved, 1 for its end; nothing where it is not.
  std::optional<double> SavedAfter(double seconds) {
    const double left = options_.checkpoint_every - unsaved_seconds_;
    unsaved_seconds_ += seconds;
    if (unsaved_seconds_ < options_.checkpoint_every && !has_checkpoint_) return std::nullopt;
    has_checkpoint_ = true;
    unsaved_seconds_ = 0;
    if (left <= 0) return 0;
    return seconds > left ? left / seconds : 1;
  }

  void FirstPass() {
    const std::optional<double> saved = SavedAfter(options_.sketch_seconds);
    model_.SetBeside(beside_);
    std::vector<std::pair<std::string, double>> kinds = rows_.first_pass;
    const double band = rows_.band_bytes / static_cast<double>(std::max<uint64_t>(rows_.bands, 1));
    for (uint64_t n = 0; n < rows_.bands; ++n) kinds.emplace_back("band keys", band);
    for (const auto& [name, bytes] : kinds) {
      first_pass_.push_back(model_.Add(name, bytes * saved.value_or(1)));
    }
    model_.Note(beside_ + LargeText());
    if (saved) {
      SaveFirstPass();
      for (size_t i = 0; i < kinds.size(); ++i) {
        model_.Write(first_pass_[i], kinds[i].second * (1 - *saved));
      }
    }
    model_.SetLimit(static_cast<double>(options_.memory.scratch));
    const size_t ids = model_.Add("ids by range", rows_.ids * kIdRow);
    model_.Note(beside_ + std::min(work_ / 2, rows_.ids * (kIdRow + 32)));
    model_.Drop(ids);
  }

  void SaveFirstPass() {
    for (const size_t place : first_pass_) model_.Save(place);
  }

  // A text of many megabytes is there as it was read and as it is, and its shingles are sorted in
  // ranges.
  double LargeText() const {
    const double text = rows_.largest_text_bytes;
    const auto large = static_cast<double>(LargeTextBytes(options_.memory_bytes, options_.threads));
    if (text < large) return 0;
    return 2 * text;
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

  // Sets that are mapped: the file is there whatever fits.
  void CountLargeSets() {
    const double least = work_ / kBytesPerShingle / static_cast<double>(kSetsInBatch);
    for (const auto& [shingles, count] : rows_.large_sets) {
      if (shingles <= least) continue;
      mapped_shingles_ += shingles * count;
      mapped_sets_ += count;
    }
    mapped_shingles_ = std::min(mapped_shingles_, rows_.set_shingles);
  }

  void Sets() {
    CountLargeSets();
    model_.SetBeside(beside_ + 20 * rows_.documents);
    if (mapped_shingles_ > 0) large_ = model_.AddOnDisk("large sets", mapped_shingles_ * 8);
    unsaved_seconds_ += options_.between_seconds;
    const std::optional<double> saved = SavedAfter(options_.set_seconds);
    const double sets = rows_.sets * sizeof(SetRow) + mapped_sets_ * sizeof(LargeSet) +
                        (rows_.set_shingles - mapped_shingles_) * 8;
    sets_ = model_.Add("shingle sets", sets * saved.value_or(1));
    const size_t exact = model_.Add("copies to look at", rows_.copies_to_look_at * kExactRow);
    const double batches = rows_.set_shingles * kBytesPerShingle / std::max(work_, 1.0);
    const double buffers = std::min(work_ / 2, std::ceil(batches) * kChunk);
    model_.Note(beside_ + buffers + LargeText() + LargeRanges() + 20 * rows_.documents);
    if (!saved) return;
    SaveFirstPass();
    model_.Save(sets_);
    model_.Save(exact);
    model_.Write(sets_, sets * (1 - *saved));
  }

  // Shingles of a large text that are sorted at once.
  double LargeRanges() const {
    return mapped_sets_ > 0 ? static_cast<double>(options_.memory_bytes) / 8 : 0;
  }

  void Decide() {
    model_.Add("members by batch", rows_.members * sizeof(BucketMember));
    const size_t overlaps =
        model_.Add("decisions", rows_.representatives_removed * sizeof(OverlapRow));
    if (SavedAfter(options_.decide_seconds)) {
      SaveFirstPass();
      model_.Save(overlaps);
    }
    const double batch = std::min(work_ / kBytesPerShingle, rows_.set_shingles - mapped_shingles_);
    const double share = rows_.set_shingles > 0 ? batch / rows_.set_shingles : 0;
    const double deciding =
        batch * kDecidedShingle +
        share * (rows_.sets * kDecidedDocument + rows_.members * 3 * sizeof(BucketMember));
    model_.Note(beside_ + deciding + 20 * rows_.documents);
    model_.Drop(sets_);
    if (large_) model_.Drop(*large_);
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
  double unsaved_seconds_ = 0;
  bool has_checkpoint_ = false;
  std::vector<size_t> first_pass_;
  double mapped_sets_ = 0, mapped_shingles_ = 0;
  size_t members_ = 0, sets_ = 0;
  std::optional<size_t> large_;
};

}  // namespace

ExpectedScratch ExpectScratch(const ExpectedRows& rows, const ScratchOptions& options) {
  return Stages(rows, options).Run();
}

}  // namespace zhiwen
