// Checks signed files of Koth with golang.org/x/mod/sumdb, which shares no code with it.
//
// Each line of standard input is a check, its words separated by tabs:
//
//	note         VKEY ORIGIN CHECKPOINT
//	extends      VKEY ORIGIN OLD-CHECKPOINT PROOF
//	includes     VKEY ORIGIN PROOF LOG
//	lines        VKEY ORIGIN CHECKPOINT CONTEST-LOG
//
// Each line of standard output is its result: "ok", or "refused" and the reason.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		if err := check(strings.Split(input.Text(), "\t")); err != nil {
			fmt.Printf("refused %q\n", err)
		} else {
			fmt.Println("ok")
		}
	}
}

func check(words []string) error {
	verifier, err := note.NewVerifier(words[1])
	if err != nil {
		return err
	}
	open := func(data []byte) (tlog.Tree, error) { return openTree(data, verifier, words[2]) }
	files := make([][]byte, 0)
	for _, name := range words[3:] {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files = append(files, data)
	}
	switch words[0] {
	case "note":
		_, err := open(files[0])
		return err
	case "extends":
		return extends(files[0], files[1], open)
	case "includes":
		return includes(files[0], files[1], open)
	case "lines":
		return lines(files[0], files[1], open)
	}
	return errors.New("no such check")
}

// openTree returns the tree in a signed checkpoint.
func openTree(data []byte, verifier note.Verifier, origin string) (tlog.Tree, error) {
	signed, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(signed.Text, "\n")
	if len(lines) < 4 || lines[0] != origin {
		return tlog.Tree{}, errors.New("another origin")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// extends checks a consistency proof: a first line "old SIZE", hashes, an empty line, a checkpoint.
func extends(old, proof []byte, open func([]byte) (tlog.Tree, error)) error {
	before, err := open(old)
	if err != nil {
		return err
	}
	head, hashes, rest, err := split(proof)
	if err != nil {
		return err
	}
	after, err := open(rest)
	if err != nil {
		return err
	}
	if len(head) != 1 || head[0] != fmt.Sprintf("old %d", before.N) {
		return errors.New("a proof from another size")
	}
	return tlog.CheckTree(hashes, after.N, after.Hash, before.N, before.Hash)
}

// includes checks an inclusion proof. The extra data of a proof of a file in a stage is the proof of
// the file, and the line of the stage's end is the record in the tree of the contest.
func includes(proof, log []byte, open func([]byte) (tlog.Tree, error)) error {
	head, hashes, rest, err := split(proof)
	if err != nil {
		return err
	}
	if err := checkHead(head, 2, 3); err != nil {
		return err
	}
	digest := sha256.Sum256(log)
	record := digest[:]
	if len(head) == 3 {
		extra, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(head[1], "extra "))
		if err != nil {
			return err
		}
		innerHead, innerHashes, line, err := split(extra)
		if err != nil {
			return err
		}
		if err := checkHead(innerHead, 2, 2); err != nil {
			return err
		}
		var end struct {
			Files int64
			Root  string
		}
		if err := json.Unmarshal(line, &end); err != nil {
			return err
		}
		root, err := hex.DecodeString(end.Root)
		if err != nil || len(root) != tlog.HashSize {
			return errors.New("a root of another length")
		}
		stage := tlog.Tree{N: end.Files, Hash: *(*tlog.Hash)(root)}
		if err := included(innerHead[1], innerHashes, stage, record); err != nil {
			return err
		}
		record = line
	}
	tree, err := open(rest)
	if err != nil {
		return err
	}
	return included(head[len(head)-1], hashes, tree, record)
}

// checkHead checks the header of an inclusion proof, its extra data if there is any, and its index.
func checkHead(head []string, least, most int) error {
	last := len(head) - 1
	if len(head) < least || len(head) > most || head[0] != "c2sp.org/tlog-proof@v1" ||
		!strings.HasPrefix(head[last], "index ") ||
		last == 2 && !strings.HasPrefix(head[1], "extra ") {
		return errors.New("no inclusion proof")
	}
	return nil
}

func included(index string, hashes []tlog.Hash, tree tlog.Tree, record []byte) error {
	number, err := strconv.ParseInt(strings.TrimPrefix(index, "index "), 10, 64)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(hashes, tree.N, tree.Hash, number, tlog.RecordHash(record))
}

// lines checks that a checkpoint is about the lines of a contest's log, each with its LF.
func lines(checkpoint, log []byte, open func([]byte) (tlog.Tree, error)) error {
	tree, err := open(checkpoint)
	if err != nil {
		return err
	}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			hashes[n] = stored[index]
		}
		return hashes, nil
	})
	records := bytes.SplitAfter(log, []byte("\n"))
	records = records[:len(records)-1]
	for n, record := range records {
		more, err := tlog.StoredHashes(int64(n), record, reader)
		if err != nil {
			return err
		}
		stored = append(stored, more...)
	}
	root, err := tlog.TreeHash(int64(len(records)), reader)
	if err != nil {
		return err
	}
	if tree.N != int64(len(records)) || tree.Hash != root {
		return errors.New("other lines")
	}
	return nil
}

// split returns the first lines of a proof, its hashes, and what is below the empty line.
func split(proof []byte) (head []string, hashes []tlog.Hash, rest []byte, err error) {
	above, rest, found := bytes.Cut(proof, []byte("\n\n"))
	if !found {
		return nil, nil, nil, errors.New("no proof")
	}
	for _, line := range strings.Split(string(above), "\n") {
		if hash, err := tlog.ParseHash(line); err == nil {
			hashes = append(hashes, hash)
		} else {
			head = append(head, line)
		}
	}
	return head, hashes, rest, nil
}
