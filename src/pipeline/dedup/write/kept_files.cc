#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/compress/frame_compressor.h"
#include "base/compress/frame_writer.h"
#include "base/utf8/transcoder.h"
#include "document/archive/tar_entry.h"
#include "document/warc/warc_record.h"
#include "pipeline/columnar/kept_parquet.h"
#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/block_walk.h"
#include "pipeline/dedup/input/ordered_jobs.h"
#include "pipeline/dedup/write/kept_record.h"
#include "pipeline/dedup/write/outputs.h"

namespace zhiwen {
namespace {

// Plain outputs are written in pieces of this size.
constexpr size_t kPieceBytes = size_t{1} << 20;
// A piece is above its size by the record that fills it; from this much on it is written alone, and
// what it took is given back.
constexpr size_t kLargeRecord = size_t{2} << 20;

// Blocks that stay whole are copied by the system, at most so many bytes between two looks at what
// else there is to do.
constexpr uint64_t kMostCopied = uint64_t{64} << 20;

// Bytes of an input that are copied as they are.
struct CopiedRange {
  uint64_t offset = 0, length = 0;
};

// A piece of one file of kept/: a frame of a compressed one.
struct KeptJob {
  uint32_t file = 0;
  bool begins_file = false, ends_file = false;
  bool is_link = false;                  // of a text file: the whole file
  bool is_cut = false;                   // of a text file, whose text is `bytes`
  bool is_large = false;                 // with a record of megabytes
  std::string bytes;                     // as they are read, with added fields
  std::string frame;                     // as they are written
  CopiedRange copied;                    // of a plain input, behind `frame`
  uint64_t removals_before = 0;          // of documents before the file
  std::vector<bool> keep;                // Parquet: by row of the file
  std::vector<DocumentIndex> documents;  // Parquet, with added fields or cut texts: by row
  uint64_t cuts_offset = 0;  // where rows of RunSpools::cuts begin that the file may have
};

// Looks up what is added to records, document by document.
class AddedLookup {
 public:
  // Both outlive it.
  AddedLookup(const RunData& run, const AddedFields& fields)
      : run_(run), fields_(fields), keepers_(run.keeper_labels) {}

  // Goes on behind so many removals.
  Status SkipRemovals(uint64_t removals) {
    return fields_.mark_keeper ? keepers_.Seek(removals) : Status();
  }

  // Goes past a document to which nothing is added.
  Status Pass(DocumentIndex d) {
    const bool has_keeper = fields_.mark_keeper && run_.removals.IsRemoved(d);
    return has_keeper ? keepers_.Next(label_) : Status();
  }

  // Documents ascend, and no removed one is left out of these calls.
  Result<AddedValues> Of(DocumentIndex d) {
    AddedValues values{.removed = run_.removals.IsRemoved(d),
                       .cluster_size = run_.cluster_sizes[run_.removals.ClusterOf(d)]};
    if (!values.removed || !fields_.mark_keeper) return values;
    ZHIWEN_RETURN_IF_ERROR(keepers_.Next(label_));
    if (run_.rules.keeps_none && run_.removals.keepers[d] != kReferenceKeeper) return values;
    values.keeper = LabelText(KeeperInputs(run_, d), label_);
    return values;
  }

 private:
  const RunData& run_;
  const AddedFields& fields_;
  Labels::Reader keepers_;
  DocumentLabel label_;
};

bool IsBad(const RunData& run, uint32_t file) {
  return std::ranges::any_of(run.bad_files, [&](const BadFile& bad) { return bad.file == file; });
}

// Gathers the records of kept/, one job after the other.
class KeptGatherer {
 public:
  KeptGatherer(const RunData& run, const AddedFields& fields, OutputCounts& counts)
      : run_(run),
        counts_(counts),
        fields_(fields),
        added_(run, fields),
        cuts_(*run.spools.cuts),
        walk_(run.spools),
        stream_(run.environment.files, run.inputs, run.reading.blocks) {}

  // Fills `job`; false when all files are done.
  Result<bool> Next(KeptJob& job) {
    if (file_ == run_.inputs.files.size()) return false;
    ZHIWEN_RETURN_IF_ERROR(run_.environment.cancellation.Check());
    job.file = file_;
    job.begins_file = std::exchange(begins_file_, false);
    job.ends_file = false;
    job.is_link = false;
    job.is_cut = false;
    job.is_large = false;
    job.bytes.clear();
    job.copied = {};
    job.keep.clear();
    job.documents.clear();
    job.removals_before = removals_;
    if (job.begins_file) {
      job.cuts_offset = cuts_.offset();
      elements_ = 0;
      gap_.clear();
      ZHIWEN_RETURN_IF_ERROR(AppendHead(job));
    }
    ZHIWEN_RETURN_IF_ERROR(Fill(job));
    if (job.ends_file && IsArray()) ZHIWEN_RETURN_IF_ERROR(AppendTail(job));
    if (job.ends_file && input().format == RecordFormat::kArchive) job.bytes += TarEnd();
    if (job.ends_file) {
      // Blocks compared what they read; this finds what was added behind them.
      ZHIWEN_RETURN_IF_ERROR(OpenUnchanged(run_.environment.files, input()));
      ++file_;
      begins_file_ = true;
    }
    return true;
  }

  uint64_t bytes_read() const { return stream_.bytes_read(); }

 private:
  const InputFile& input() const { return run_.inputs.files[file_]; }

  size_t PieceBytes() const {
    return input().compression == Compression::kNone ? kPieceBytes : kFrameBytes;
  }

  // Appends the head of a file; of a file without records it is all that is written.
  Status AppendHead(KeptJob& job) {
    if (IsWholeFile(input().format) || input().format == RecordFormat::kParquet) {
      return {};
    }
    ZHIWEN_ASSIGN_OR_RETURN(const auto blocks, OpenFileBlocks(run_.environment.files, input(),
                                                              file_, run_.reading.blocks));
    RecordBlock first;
    if (auto read = blocks->Next(first); !read && !IsBad(run_, file_)) return Fail(std::move(read));
    if (blocks->head() != nullptr) {
      AppendKeptHead(input(), blocks->head()->bytes, fields_, job.bytes);
    }
    return {};
  }

  bool IsArray() const { return input().format == RecordFormat::kJsonArray; }

  // Appends what closes an array; one that was read in part is closed, too.
  Status AppendTail(KeptJob& job) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string tail, stream_.ReadTail(file_));
    job.bytes += gap_;
    if (!tail.empty()) {
      job.bytes += tail;
      return {};
    }
    ZHIWEN_ASSIGN_OR_RETURN(const std::string end,
                            EncodeText("]\n", input().encoding.value_or(TextEncoding::kUtf8)));
    job.bytes += end;
    return {};
  }

  // Appends records until the piece is full or the file ends.
  Status Fill(KeptJob& job) {
    while (true) {
      while (next_record_ < records_.size()) {
        AppendRecord(records_[next_record_++], job);
        if (job.bytes.size() >= PieceBytes()) {
          job.is_large = job.bytes.size() >= PieceBytes() + kLargeRecord;
          return {};
        }
      }
      if (!have_row_) {
        ZHIWEN_ASSIGN_OR_RETURN(have_row_, walk_.Next(row_, failed_));
      }
      if (!have_row_ || row_.file != file_) {
        job.ends_file = true;
        return {};
      }
      ZHIWEN_RETURN_IF_ERROR(cuts_.SkipTo(row_.first_document));
      const bool is_copied = IsWhole();
      if (job.copied.length > 0 && (!is_copied || !Continues(job.copied))) return {};
      have_row_ = false;
      ZHIWEN_RETURN_IF_ERROR(is_copied ? Copy(job.copied) : TakeUpBlock(job));
    }
  }

  struct KeptRecord {
    std::string_view bytes;
    AddedValues values;
    std::string cut = {};     // the record, where its text loses something
    std::string before = {};  // in an array: the comma and the white space in front of it
  };

  bool Stays(DocumentIndex d) const {
    const DocumentIndex keeper = run_.removals.keepers[d];
    if (keeper == kNoDocument) return true;
    return fields_.mark && (!fields_.marks_references || keeper == kReferenceKeeper);
  }

  void Count(DocumentIndex d, uint64_t length) {
    const bool removed = run_.removals.IsRemoved(d);
    (removed ? counts_.removed_bytes : counts_.kept_bytes) += length;
    removals_ += removed ? 1 : 0;
    counts_.kept_records += removed ? 0 : 1;
  }

  // Reads the block of row_: its records that stay are records_.
  Status TakeUpBlock(KeptJob& job) {
    records_.clear();
    next_record_ = 0;
    if (input().format == RecordFormat::kParquet) {
      TakeUpRows(job);
      return {};
    }
    ZHIWEN_RETURN_IF_ERROR(stream_.Read(row_, block_));
    if (IsWholeFile(input().format)) return TakeUpText(job);
    if (IsArray()) return TakeUpElements();
    return VisitKept(
        [this](const BlockRecord& record, DocumentIndex d) { return AddRecord(record.bytes, d); });
  }

  // Counts the documents of block_; calls visit(record, document) for those that stay.
  template <typename Visit>
  Status VisitKept(const Visit& visit) {
    auto next_failed = failed_.begin();
    DocumentIndex d = row_.first_document;
    Status status;
    SplitRecords(block_, [&](const BlockRecord& record) {
      if (next_failed != failed_.end() && *next_failed == record.index) {
        ++next_failed;
        return;
      }
      Count(d, record.length);
      if (status) status = Stays(d) ? visit(record, d) : added_.Pass(d);
      ++d;
    });
    return status;
  }

  // The elements of an array that stay, each with what stands between it and the one before.
  Status TakeUpElements() {
    const std::vector<RecordSpan>& spans = block_.spans;
    const auto behind = [&](size_t i) { return i == 0 ? uint64_t{0} : spans[i - 1].end; };
    Status status = VisitKept([&](const BlockRecord& record, DocumentIndex d) -> Status {
      const uint64_t begin = behind(record.index);
      std::string before = record.index == 0 ? gap_ : "";
      before += block_.bytes.substr(begin, spans[record.index].begin - begin);
      records_.push_back({record.bytes, {}, {}, std::move(before)});
      ZHIWEN_RETURN_IF_ERROR(Cut(record.bytes, d, records_.back().cut));
      return AddValues(d);
    });
    if (!status || block_.oversized) return status;
    const std::string_view rest = block_.bytes.substr(behind(spans.size()));
    if (!spans.empty()) gap_.clear();
    gap_ += rest;
    return {};
  }

  // Records that need not be told apart: neither are fields added nor frames cut between them.
  bool IsPlain() const { return !fields_.any() && input().compression == Compression::kNone; }

  // All of the block stays as it is: nobody has to look at its bytes.
  bool IsWhole() const {
    const RecordFormat format = input().format;
    if (IsWholeFile(format) || format == RecordFormat::kParquet) return false;
    if (IsArray() || format == RecordFormat::kArchive) return false;  // more is between records
    if (run_.inputs.sample != nullptr) return false;
    if (!IsPlain() || row_.blank_bytes > 0 || row_.documents < row_.records) return false;
    if (cuts_.document() < row_.first_document + row_.documents) return false;
    const auto& keepers = run_.removals.keepers;
    const auto begin = keepers.begin() + row_.first_document;
    return std::all_of(begin, begin + row_.documents,
                       [](DocumentIndex keeper) { return keeper == kNoDocument; });
  }

  // Whether the block of row_ goes on where `copied` ends, which is not too long yet.
  bool Continues(const CopiedRange& copied) const {
    return row_.offset == copied.offset + copied.length && copied.length < kMostCopied;
  }

  Status Copy(CopiedRange& copied) {
    if (copied.length == 0) copied.offset = row_.offset;
    copied.length += row_.length;
    counts_.kept_bytes += row_.length;
    counts_.kept_records += row_.documents;
    return {};
  }

  // Makes `cut` the record without what its text loses; leaves it empty where that is nothing.
  Status Cut(std::string_view bytes, DocumentIndex d, std::string& cut) {
    if (cuts_.document() > d) return {};
    ZHIWEN_RETURN_IF_ERROR(cuts_.SkipTo(d));
    if (cuts_.document() != d) return {};
    DocumentCuts cuts;
    ZHIWEN_RETURN_IF_ERROR(cuts_.Take(cuts));
    ZHIWEN_ASSIGN_OR_RETURN(
        cut, CutKeptRecord(input(), block_.head.get(), bytes, *fields_.cut_text, cuts));
    return {};
  }

  Status AddRecord(std::string_view bytes, DocumentIndex d) {
    std::string cut;
    ZHIWEN_RETURN_IF_ERROR(Cut(bytes, d, cut));
    if (!cut.empty()) {
      records_.push_back({{}, {}, std::move(cut)});
      return AddValues(d);
    }
    if (IsPlain() && !records_.empty()) {
      std::string_view& last = records_.back().bytes;
      if (last.data() + last.size() == bytes.data()) {
        last = {last.data(), last.size() + bytes.size()};
        return {};
      }
    }
    records_.push_back({bytes, {}});
    return AddValues(d);
  }

  // To the last record.
  Status AddValues(DocumentIndex d) {
    if (!fields_.any()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(records_.back().values, added_.Of(d));
    return {};
  }

  void TakeUpRows(KeptJob& job) {
    job.keep.resize(row_.offset + row_.records);
    const bool is_told = fields_.any() || fields_.cut_text;
    if (is_told) job.documents.resize(job.keep.size(), kNoDocument);
    ForEachDocument(row_, failed_, [&](uint32_t index, DocumentIndex d) {
      Count(d, 1);
      job.keep[row_.offset + index] = Stays(d);
      if (is_told) job.documents[row_.offset + index] = d;
    });
  }

  Status TakeUpText(KeptJob& job) {
    if (row_.documents == 0) return {};
    Count(row_.first_document, row_.length);
    if (!Stays(row_.first_document)) return {};
    ZHIWEN_RETURN_IF_ERROR(Cut(block_.bytes, row_.first_document, job.bytes));
    job.is_cut = !job.bytes.empty();
    job.is_link = !job.is_cut;
    job.is_large = job.bytes.size() >= PieceBytes() + kLargeRecord;
    return {};
  }

  void AppendRecord(const KeptRecord& record, KeptJob& job) {
    if (IsArray() && elements_++ > 0) job.bytes += record.before;
    const std::string_view bytes = record.cut.empty() ? record.bytes : record.cut;
    AppendKeptRecord(input(), bytes, fields_, record.values, job.bytes);
  }

  const RunData& run_;
  OutputCounts& counts_;
  const AddedFields& fields_;
  AddedLookup added_;
  uint64_t removals_ = 0;  // of the documents so far
  CutsReader cuts_;
  BlockWalk walk_;
  BlockStream stream_;
  uint32_t file_ = 0;
  bool begins_file_ = true;
  bool have_row_ = false;  // row_ is read, and its block is not
  BlockRow row_;
  std::vector<uint32_t> failed_;
  RecordBlock block_;
  std::vector<KeptRecord> records_;  // of block_
  size_t next_record_ = 0;
  uint64_t elements_ = 0;  // of an array, in the file so far
  std::string gap_;        // of an array, behind the last element of the blocks before
};

// A file that counts what is written to it.
class CountingFile final : public WritableFile {
 public:
  CountingFile(std::unique_ptr<WritableFile> file, std::atomic<uint64_t>& bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  Status Append(std::string_view bytes) override {
    bytes_ += bytes.size();
    return file_->Append(bytes);
  }
  Result<uint64_t> AppendFrom(const ReadableFile& from, uint64_t offset, uint64_t length) override {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, file_->AppendFrom(from, offset, length));
    bytes_ += count;
    return count;
  }
  Status Sync() override { return file_->Sync(); }
  Status Close() override { return file_->Close(); }
  const std::string& path() const override { return file_->path(); }

 private:
  std::unique_ptr<WritableFile> file_;
  std::atomic<uint64_t>& bytes_;
};

// Appends a range of an input, by the system where it can, and makes sure that the input is what it
// was.
Status CopyRange(const ReadableFile& from, const InputFile& input, CopiedRange range,
                 WritableFile& to) {
  ZHIWEN_ASSIGN_OR_RETURN(uint64_t done, to.AppendFrom(from, range.offset, range.length));
  std::vector<char> buffer(done < range.length ? kPieceBytes : 0);
  while (done < range.length) {
    const size_t wanted = std::min<uint64_t>(buffer.size(), range.length - done);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t got,
                            from.ReadAt(range.offset + done, std::span(buffer).first(wanted)));
    if (got == 0) break;  // it is shorter than it was
    ZHIWEN_RETURN_IF_ERROR(to.Append({buffer.data(), got}));
    done += got;
  }
  return CheckUnchanged(from, input);
}

// Compresses each record of a crawl archive by itself (ISO 28500, annex D), so that others can read
// one without those before it.
Status CompressWarc(FrameCompressor& compressor, KeptJob& job) {
  const std::string_view bytes = job.bytes;
  size_t begin = 0;  // bytes that are no record go with the one behind them
  for (const WarcRecord& record : FindWarcRecords(bytes)) {
    ZHIWEN_RETURN_IF_ERROR(compressor.Compress(bytes.substr(begin, record.end - begin), job.frame));
    begin = record.end;
  }
  return begin == bytes.size() && begin > 0 ? Status()
                                            : compressor.Compress(bytes.substr(begin), job.frame);
}

// Writes what one job gathered.
class KeptWriter {
 public:
  KeptWriter(const RunData& run, const AddedFields& fields, OutputFolder& folder)
      : run_(run), fields_(fields), folder_(folder) {}

  Status Process(FrameCompressor& gzip, FrameCompressor& zstd, KeptJob& job) const {
    const InputFile& input = run_.inputs.files[job.file];
    job.frame.clear();
    if (IsWholeFile(input.format) && !job.is_cut) {
      return job.is_link ? CopyText(job.file) : Status();
    }
    if (input.format == RecordFormat::kParquet) {
      // A damaged file without a sound row may have no schema to write.
      const bool is_lost =
          IsBad(run_, job.file) && std::ranges::find(job.keep, true) == job.keep.end();
      return job.ends_file && !is_lost ? WriteParquet(job) : Status();
    }
    // A compressed file has a frame at least.
    if (job.bytes.empty() && !job.begins_file) return {};
    if (input.compression == Compression::kNone) {
      std::swap(job.frame, job.bytes);
      return {};
    }
    FrameCompressor& compressor = input.compression == Compression::kGzip ? gzip : zstd;
    if (input.format == RecordFormat::kWarc) return CompressWarc(compressor, job);
    return compressor.Compress(job.bytes, job.frame);
  }

  Status Commit(const KeptJob& job) {
    const RecordFormat format = run_.inputs.files[job.file].format;
    if (format == RecordFormat::kParquet) return {};
    if (IsWholeFile(format) && !job.is_cut) return {};
    if (job.begins_file) {
      ZHIWEN_ASSIGN_OR_RETURN(open_, OpenKept(job.file));
    }
    if (!job.frame.empty()) ZHIWEN_RETURN_IF_ERROR(open_->Append(job.frame));
    if (job.copied.length > 0) {
      const InputFile& input = run_.inputs.files[job.file];
      if (from_ == nullptr) {
        ZHIWEN_ASSIGN_OR_RETURN(from_, OpenUnchanged(run_.environment.files, input));
      }
      ZHIWEN_RETURN_IF_ERROR(CopyRange(*from_, input, job.copied, *open_));
    }
    if (!job.ends_file) return {};
    from_.reset();
    return open_->Close();
  }

  // Bytes of all files as they are on disk, and texts that are links to the inputs.
  uint64_t bytes() const { return bytes_; }
  uint64_t links() const { return links_; }

 private:
  Result<std::unique_ptr<WritableFile>> OpenKept(uint32_t file) const {
    ZHIWEN_ASSIGN_OR_RETURN(auto open, folder_.OpenForWrite(PathOf(file)));
    return std::make_unique<CountingFile>(std::move(open), bytes_);
  }

  std::string PathOf(uint32_t file) const { return "kept/" + run_.inputs.kept_paths[file]; }

  // A second name of the same file where the system allows it, else a copy.
  Status CopyText(uint32_t file) const {
    const InputFile& input = run_.inputs.files[file];
    ZHIWEN_ASSIGN_OR_RETURN(const auto from, OpenUnchanged(run_.environment.files, input));
    ZHIWEN_ASSIGN_OR_RETURN(const bool linked, folder_.Link(input.path, PathOf(file)));
    if (linked) {
      bytes_ += input.identity.size;
      ++links_;
      return {};
    }
    ZHIWEN_ASSIGN_OR_RETURN(const auto to, OpenKept(file));
    ZHIWEN_RETURN_IF_ERROR(CopyRange(*from, input, {0, input.identity.size}, *to));
    return to->Close();
  }

  Status WriteParquet(const KeptJob& job) const {
    ZHIWEN_ASSIGN_OR_RETURN(auto out, OpenKept(job.file));
    KeptParquetOptions options;
    options.columns = {.mark_name = fields_.mark,
                       .keeper_name = fields_.mark_keeper,
                       .cluster_size_name = fields_.cluster_size,
                       .cut_name = fields_.cut_text};
    options.max_row_group_bytes = run_.reading.blocks.max_row_group_bytes;
    const bool is_cut = IsBad(run_, job.file) || run_.inputs.sample != nullptr;
    if (is_cut) options.rows_end = job.keep.size();
    AddedLookup added(run_, fields_);
    ZHIWEN_RETURN_IF_ERROR(added.SkipRemovals(job.removals_before));
    CutsReader cuts(*run_.spools.cuts, job.cuts_offset);
    const auto verdict = [&](uint64_t row) -> Result<RowVerdict> {
      RowVerdict answer{
          .keep = row < job.keep.size() && job.keep[row], .marked = false, .cluster_size = 1};
      if (row >= job.documents.size() || job.documents[row] == kNoDocument) return answer;
      const DocumentIndex d = job.documents[row];
      ZHIWEN_RETURN_IF_ERROR(cuts.SkipTo(d));
      if (cuts.document() == d) {
        DocumentCuts of_row;
        ZHIWEN_RETURN_IF_ERROR(cuts.Take(of_row));
        answer.cuts = std::move(of_row.cuts);
      }
      ZHIWEN_ASSIGN_OR_RETURN(AddedValues values, added.Of(d));
      answer.marked = values.removed;
      answer.keeper = std::move(values.keeper);
      answer.cluster_size = values.cluster_size;
      return answer;
    };
    ZHIWEN_RETURN_IF_ERROR(WriteKeptParquet(run_.environment.files, run_.inputs.files[job.file],
                                            std::move(out), verdict, options));
    return {};
  }

  const RunData& run_;
  const AddedFields& fields_;
  OutputFolder& folder_;
  std::unique_ptr<WritableFile> open_;
  std::unique_ptr<ReadableFile> from_;  // the input of open_, once something of it is copied
  mutable std::atomic<uint64_t> bytes_{0}, links_{0};  // workers copy texts and write Parquet
};

}  // namespace

Status WriteKept(const RunData& run, const AddedFields& fields, OutputFolder& folder,
                 OutputCounts& counts) {
  const DedupEnvironment& environment = run.environment;
  std::vector<FrameCompressor> gzip, zstd;
  for (size_t worker = 0; worker < environment.executor.concurrency(); ++worker) {
    ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor one, FrameCompressor::Create(Compression::kGzip));
    gzip.push_back(std::move(one));
    ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor other, FrameCompressor::Create(Compression::kZstd));
    zstd.push_back(std::move(other));
  }
  KeptGatherer gatherer(run, fields, counts);
  KeptWriter writer(run, fields, folder);
  const JobSteps<KeptJob> steps{
      .produce = [&](KeptJob& job) { return gatherer.Next(job); },
      .process = [&](size_t worker,
                     KeptJob& job) { return writer.Process(gzip[worker], zstd[worker], job); },
      .commit = [&](KeptJob& job) -> Status {
        environment.progress.Advance(Stage::kWrite, job.file, run.inputs.files.size());
        ZHIWEN_RETURN_IF_ERROR(writer.Commit(job));
        if (job.is_large) {
          std::string().swap(job.bytes);
          std::string().swap(job.frame);
        }
        return {};
      },
      .is_alone = [](const KeptJob& job) { return job.is_large; }};
  ZHIWEN_RETURN_IF_ERROR(OrderedJobs<KeptJob>::Run(environment.executor,
                                                   environment.executor.concurrency() + 1, steps));
  counts.kept_file_bytes = writer.bytes();
  counts.kept_links = writer.links();
  return {};
}

}  // namespace zhiwen
