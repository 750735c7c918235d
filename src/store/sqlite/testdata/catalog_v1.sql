BEGIN TRANSACTION;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('checksum','fcd5ab06');
INSERT INTO setting VALUES('id','544b944ab543af73faf17e157e387606');
INSERT INTO setting VALUES('incarnation.near','1');
INSERT INTO setting VALUES('incarnation.passages','1');
INSERT INTO setting VALUES('near_scheme','minhash.v1(channel=folded.v3,feature=shingle.v1(k=5,unit=symbol),method=one_permutation,permutations=128,seed=0)');
INSERT INTO setting VALUES('near_threshold','0.8');
INSERT INTO setting VALUES('passage_scheme','winnowing.v1(channel=folded.v3,g=22,k=8,scope=text,sentences=none,unit=symbol)');
INSERT INTO setting VALUES('profile','news');
CREATE TABLE text (
  key INTEGER PRIMARY KEY,
  content BLOB NOT NULL,
  exact BLOB,
  folded BLOB,
  units INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  users INTEGER NOT NULL,
  zstd BLOB NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO text VALUES(1,X'dc1e3a32469ad65c611283432d640ea0',NULL,X'5aa8664600e30f3e225733dacb7a8d23',20,72,1,X'28b52ffd2448410200e698a5e79ca0e4b88de8a789e69993efbc8ce5a484e5a484e997bbe595bce9b89fe38082e5a49ce69da5e9a38ee99ba8e5a3b0efbc8ce88ab1e890bde79fa5e5a49ae5b091e380827934ea29',3245437393);
INSERT INTO text VALUES(2,X'b8e9f1030377f1d3d9bd1db464e67270',NULL,X'9019abbe74cc4a8a98129c5b1c2de40d',20,72,2,X'28b52ffd2448410200e5ba8ae5898de6988ee69c88e58589efbc8ce79691e698afe59cb0e4b88ae99c9ce38082e4b8bee5a4b4e69c9be6988ee69c88efbc8ce4bd8ee5a4b4e6809de69585e4b9a1e38082321400f8',1371871798);
INSERT INTO text VALUES(3,X'2fc1da5253bda800c341fac7acb9ea6a',NULL,X'9cdbe5c66f07f94e894ebcd5496651b8',20,72,1,X'28b52ffd2448410200e799bde697a5e4be9de5b1b1e5b0bdefbc8ce9bb84e6b2b3e585a5e6b5b7e6b581e38082e6acb2e7a9b7e58d83e9878ce79baeefbc8ce69bb4e4b88ae4b880e5b182e6a5bce380820250400e',1616512384);
INSERT INTO text VALUES(5,X'f87386279e4d19cd885081ce42d22afc',NULL,NULL,0,6,1,X'28b52ffd2406310000efbc81efbc8184574e7c',2599741198);
INSERT INTO text VALUES(6,X'cb1e9f3195ad9f2c2711ee76e6fa7f80',NULL,X'5aa8664600e30f3e225733dacb7a8d23',20,72,1,X'28b52ffd2448410200e698a5e79ca0e4b88de8a789e69993efbc8ce5a484e5a484e997bbe595bce9b89fe38082e5a49ce69da5e9a38ee99ba8e5a3b0efbc8ce88ab1e890bde79fa5e5a49ae5b091efbc9ffd853ad1',1385589368);
CREATE TABLE document (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  state INTEGER NOT NULL,
  text INTEGER REFERENCES text (key),
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  date TEXT NOT NULL,
  url TEXT NOT NULL,
  added INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (id, version)
) STRICT;
INSERT INTO document VALUES(1,'春晓',1,1,1,'春晓','孟浩然','730','https://example.org/1',1795701924,1267199867);
INSERT INTO document VALUES(2,'静夜思',1,0,2,'静夜思','李白','','',1795701924,1231531180);
INSERT INTO document VALUES(3,'静夜思抄',1,0,2,'','','','',1795701924,4086697424);
INSERT INTO document VALUES(4,'登鹳雀楼',1,2,3,'','王之涣','','',1795701924,3185788543);
INSERT INTO document VALUES(5,'鹿柴',1,2,NULL,'','','','',1795701924,3702189676);
INSERT INTO document VALUES(6,'标点',1,0,5,'','','','',1795701924,4185002053);
INSERT INTO document VALUES(7,'春晓',2,0,6,'春晓','孟浩然','730','',1795701924,1853050342);
CREATE TABLE change (
  sequence INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  document INTEGER NOT NULL REFERENCES document (number)
) STRICT;
INSERT INTO change VALUES(1,0,1);
INSERT INTO change VALUES(2,0,2);
INSERT INTO change VALUES(3,0,3);
INSERT INTO change VALUES(4,0,4);
INSERT INTO change VALUES(5,0,5);
INSERT INTO change VALUES(6,0,6);
INSERT INTO change VALUES(7,1,1);
INSERT INTO change VALUES(8,0,7);
INSERT INTO change VALUES(9,1,4);
INSERT INTO change VALUES(10,1,5);
CREATE INDEX text_content ON text (content);
CREATE INDEX text_exact ON text (exact) WHERE exact IS NOT NULL;
CREATE INDEX text_folded ON text (folded) WHERE folded IS NOT NULL;
CREATE INDEX document_text ON document (text);
CREATE INDEX document_state ON document (state) WHERE state <> 0;
COMMIT;
PRAGMA application_id = 2054644588;
PRAGMA user_version = 1;
