BEGIN TRANSACTION;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO setting VALUES('checksum','27438a4f');
INSERT INTO setting VALUES('id','ce28ab0e57d9f0083f776d379d493fc7');
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
INSERT INTO text VALUES(2,X'b8e9f1030377f1d3d9bd1db464e67270',NULL,X'9019abbe74cc4a8a98129c5b1c2de40d',20,72,1,X'28b52ffd2448410200e5ba8ae5898de6988ee69c88e58589efbc8ce79691e698afe59cb0e4b88ae99c9ce38082e4b8bee5a4b4e69c9be6988ee69c88efbc8ce4bd8ee5a4b4e6809de69585e4b9a1e38082321400f8',1371871798);
INSERT INTO text VALUES(3,X'2fc1da5253bda800c341fac7acb9ea6a',NULL,X'9cdbe5c66f07f94e894ebcd5496651b8',20,72,1,X'28b52ffd2448410200e799bde697a5e4be9de5b1b1e5b0bdefbc8ce9bb84e6b2b3e585a5e6b5b7e6b581e38082e6acb2e7a9b7e58d83e9878ce79baeefbc8ce69bb4e4b88ae4b880e5b182e6a5bce380820250400e',1616512384);
INSERT INTO text VALUES(5,X'cb1e9f3195ad9f2c2711ee76e6fa7f80',NULL,X'5aa8664600e30f3e225733dacb7a8d23',20,72,1,X'28b52ffd2448410200e698a5e79ca0e4b88de8a789e69993efbc8ce5a484e5a484e997bbe595bce9b89fe38082e5a49ce69da5e9a38ee99ba8e5a3b0efbc8ce88ab1e890bde79fa5e5a49ae5b091efbc9ffd853ad1',1385589368);
INSERT INTO text VALUES(6,X'd3c7580a0e4c236cc8b41dde32bc6454',NULL,X'b404e7aa36580e4d73edff7647a5a4b5',20,72,1,X'28b52ffd2448410200e69dbee4b88be997aee7aba5e5ad90efbc8ce8a880e5b888e98787e88dafe58ebbe38082e58faae59ca8e6ada4e5b1b1e4b8adefbc8ce4ba91e6b7b1e4b88de79fa5e5a484e38082098d7b78',238362283);
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
  checksum INTEGER NOT NULL, work INTEGER REFERENCES work (key), part TEXT NOT NULL DEFAULT '', kind INTEGER NOT NULL DEFAULT 0,
  UNIQUE (id, version)
) STRICT;
INSERT INTO document VALUES(1,'春晓',1,1,1,'春晓','孟浩然','730','',1795772202,64724340,1,'第1首',0);
INSERT INTO document VALUES(2,'静夜思',1,0,2,'静夜思','李白','','',1795772202,2596874286,1,'第2首',0);
INSERT INTO document VALUES(3,'登鹳雀楼',1,2,3,'','','','',1795772202,523540228,2,'',0);
INSERT INTO document VALUES(4,'鹿柴',1,2,NULL,'','','','',1795772202,699672076,NULL,'',0);
INSERT INTO document VALUES(5,'春晓',2,0,5,'春晓','孟浩然','','',1795772202,2627059657,1,'第1首',0);
INSERT INTO document VALUES(6,'诱饵',1,0,6,'','','','',1795772202,4108489957,NULL,'',1);
CREATE TABLE change (
  sequence INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  document INTEGER NOT NULL REFERENCES document (number)
) STRICT;
INSERT INTO change VALUES(1,0,1);
INSERT INTO change VALUES(2,0,2);
INSERT INTO change VALUES(3,0,3);
INSERT INTO change VALUES(4,0,4);
INSERT INTO change VALUES(5,1,1);
INSERT INTO change VALUES(6,0,5);
INSERT INTO change VALUES(7,0,6);
INSERT INTO change VALUES(8,1,3);
INSERT INTO change VALUES(9,1,4);
CREATE TABLE work (
  key INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  author TEXT NOT NULL,
  owner TEXT NOT NULL,
  licence TEXT NOT NULL,
  first_publication TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
INSERT INTO work VALUES(1,'唐诗','','','甲社','','',3991727565);
INSERT INTO work VALUES(2,'','','','乙','','',3343519162);
CREATE INDEX text_content ON text (content);
CREATE INDEX text_exact ON text (exact) WHERE exact IS NOT NULL;
CREATE INDEX text_folded ON text (folded) WHERE folded IS NOT NULL;
CREATE INDEX document_text ON document (text);
CREATE INDEX document_state ON document (state) WHERE state <> 0;
CREATE UNIQUE INDEX work_name ON work (name) WHERE name <> '';
CREATE UNIQUE INDEX work_owner ON work (owner) WHERE name = '';
CREATE INDEX document_work ON document (work) WHERE work IS NOT NULL;
COMMIT;
PRAGMA application_id = 2054644588;
PRAGMA user_version = 2;
