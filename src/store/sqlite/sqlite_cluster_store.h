#ifndef ZHIWEN_STORE_SQLITE_SQLITE_CLUSTER_STORE_H_
#define ZHIWEN_STORE_SQLITE_SQLITE_CLUSTER_STORE_H_

// The state of a stream of clusters as one SQLite file, with a write-ahead log that is synced at
// every Commit. SQLite, and no log of our own, because answers are found again by the hash of a
// document, of which there are more than fit in memory.
//
// Cost        10 µs a document, and one sync a Commit; 80 bytes and the id of each document;
//             the texts of centres as they are compressed. Opening counts the documents by the
//             index of their keys: 0.4 s for 10^7 in the page cache, 5 s from a disk. VisitCentres
//             checks the rows of all centres, and reads the documents of those that are not
//             forgotten; VisitClusters reads and sorts all documents, beyond memory on the disk
// Fails       kUnreadable: damaged, with the name of the file · kConflict: of other settings, of
//             another program, or of a newer version
// Persisted   docs/formats/cluster_state.md

#include <memory>
#include <string>

#include "store/cluster_store.h"

namespace zhiwen {

// Opens the state `path`, or makes it where there is none. The Commit of the first document keeps
// the settings; before it a state takes any others.
Result<std::unique_ptr<ClusterStore>> OpenSqliteClusterStore(const std::string& path,
                                                             const ClusterSettings& settings);

}  // namespace zhiwen

#endif  // ZHIWEN_STORE_SQLITE_SQLITE_CLUSTER_STORE_H_
