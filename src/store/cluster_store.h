#ifndef ZHIWEN_STORE_CLUSTER_STORE_H_
#define ZHIWEN_STORE_CLUSTER_STORE_H_

// What a single pass over a stream of documents (cluster/single_pass.h) remembers of them: centres,
// what joined them, and the answer that each document got.
//
// In          a step of each document, in the order of the stream
// Out         the steps of documents that come again; centres with their ids and texts; the
//             clusters
// Guarantees  the durable store: after Commit everything before it is on the disk, and after a
//             crash everything or nothing of what came later is there. Every row is checked when it
//             is read, and rows are counted when the store is opened: damage is an error, never
//             another answer. One thing is not noticed: a document whose key in the file was
//             changed is not found again. The store in memory keeps nothing beyond its life, and
//             finds no document again
// Cost        in memory: 180 bytes, the id and the text of each centre that is not forgotten; where
//             members are kept, of each centre there ever was, and the ids of all documents.
//             Durable: see sqlite/sqlite_cluster_store.h
// Threads     one at a time
// Fails       kUnreadable: damaged · kExhausted: the disk is full · kInternal: no such centre

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The settings that must be the same for a stream to go on.
struct ClusterSettings {
  std::string scheme = {};  // canonical name
  uint32_t radius = 0;
  std::string window = {};        // "604800 s by date"; empty: none
  std::string verification = {};  // "0.8 on folded.v3"; empty: none

  friend bool operator==(const ClusterSettings&, const ClusterSettings&) = default;
};

// A value of 4 or 8 bytes.
struct StoredCode {
  uint64_t bits = 0;
  uint32_t bytes = 0;

  friend bool operator==(const StoredCode&, const StoredCode&) = default;
};

// The outcome for one document.
struct ClusterStep {
  uint64_t number = 0;                  // of the document in the stream: 1, 2, …
  std::optional<uint64_t> centre = {};  // number of the centre; nothing: in no cluster
  StoredCode code = {};                 // of a document in a cluster
  uint32_t distance = 0;                // from the centre
  double resemblance = 1;               // with the text of the centre, where texts are compared
  std::optional<int64_t> date = {};     // that the document counts as being of

  friend bool operator==(const ClusterStep&, const ClusterStep&) = default;
};

// A text as one frame of zstd.
struct CompressedText {
  std::string zstd = {};
  uint64_t bytes = 0;  // of the text
};

struct DocumentToCluster {
  std::string_view id = {};
  Hash128 key = {};  // of its id and text
  ClusterStep step = {};
  std::optional<int64_t> latest = {};    // date of its cluster from now on
  const CompressedText* text = nullptr;  // kept with a centre until it is forgotten
};

struct StoredCentre {
  uint64_t number = 0;
  std::string id = {};
  StoredCode code = {};
  uint64_t documents = 1;            // the centre, and those that joined
  std::optional<int64_t> date = {};  // the latest of these
  bool is_forgotten = false;

  friend bool operator==(const StoredCentre&, const StoredCentre&) = default;
};

struct ClusterCounts {
  uint64_t documents = 0;  // of the stream
  uint64_t clusters = 0;   // that there ever were
  uint64_t largest = 0;    // documents of the largest of these
};

class ClusterStore {
 public:
  virtual ~ClusterStore() = default;

  virtual Result<ClusterCounts> Counts() const = 0;

  // Returns the step of the document with this key, a hash of its id and text.
  virtual Result<std::optional<ClusterStep>> Find(const Hash128& key) const = 0;

  // Adds the next document. A step whose centre is its own number makes a centre.
  virtual Status Add(const DocumentToCluster& document) = 0;
  virtual Status Forget(uint64_t centre) = 0;
  virtual Status Commit() = 0;

  virtual Result<std::string> IdOf(uint64_t centre) const = 0;
  // Returns the text of a centre that is not forgotten.
  virtual Result<CompressedText> TextOf(uint64_t centre) const = 0;

  // Calls visit(centre) for every centre that is not forgotten. One without a date in a stream that
  // has had one counts as being of the first.
  virtual Status VisitCentres(
      const std::function<Status(const StoredCentre& centre)>& visit) const = 0;
  // Returns the date that the last document counted as being of.
  virtual Result<std::optional<int64_t>> LastDate() const = 0;

  // Calls visit(centre, members) for every cluster that there ever was, by code and then by number;
  // members are the ids of what joined the centre, in the order of the stream.
  virtual Status VisitClusters(
      const std::function<Status(const StoredCentre& centre, std::span<const std::string> members)>&
          visit) const = 0;
};

enum class KeptMembers : uint8_t { kNone, kAll };

// `members` says whether VisitClusters will be called; without them it visits nothing.
std::unique_ptr<ClusterStore> MakeMemoryClusterStore(KeptMembers members);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_CLUSTER_STORE_H_
