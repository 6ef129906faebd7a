;; What a module has besides where a player thinks: a tree search that plays games on from the state at hand.
;;
;; The tree is a hash table. Its key stands for all that was chosen from the root on and for what chance gave, as far as
;; everybody sees it, so that an option has one entry however many worlds the host puts at the root. An entry has 32 bytes:
;; 0 key (0: free), 8 visits, 12 how often it was among the options, 16 what its player got in all, 24 which player, 28 what
;; is proven.
;;
;; Where chance comes in behind an option there is a chance node: 8 how often it was passed, 12 how many outcomes it has. Each
;; outcome has an entry of its own (a key and nothing else), and decisions behind it are those of this outcome. So many
;; outcomes are told apart as suit the visits (progressive widening: A. Couëtoux et al., "Continuous Upper Confidence Trees",
;; LION 2011); the others share the decisions behind the node, as all did in an open-loop search. What an option is worth is
;; the average over games, and so over outcomes as often as chance gives them.
;;
;; Proven is how a game ends after an option if everybody plays as well as he can (M. H. M. Winands, Y. Björnsson and J.-T.
;; Saito, "Monte-Carlo Tree Search Solver", Computers and Games 2008): 0 nothing, 1 + p that player p wins, 1 + {players}
;; that nobody does, in a game for one. A draw is never proven. It holds where what was chosen says where a game stands:
;; while no chance was drawn since the root, in a game that hides nothing, where at most two play.

(global $tree (mut i32) (i32.const 0))
(global $tree_mask (mut i32) (i32.const 0))
(global $tree_room (mut i32) (i32.const 0)) ;; entries that may still be added
(global $tree_kept (mut i32) (i32.const 0)) ;; of these only for options
(global $roots (mut i32) (i32.const 0)) ;; the states that games begin from in turn: of each where it lies, and its options
(global $rooted (mut i32) (i32.const 0)) ;; how many those are
(global $root (mut i32) (i32.const 0)) ;; the one of the game at hand
(global $root_base (mut i32) (i32.const 0)) ;; its options
(global $path (mut i32) (i32.const 0)) ;; the entries of the game at hand
(global $depth (mut i32) (i32.const 0))
(global $gains (mut i32) (i32.const 0)) ;; what each player got from it, from 0 to 1
(global $leaf (mut i32) (i32.const 0)) ;; what each player would get by what its leaf is worth
(global $added (mut i32) (i32.const 0)) ;; has the game at hand added an entry? 2: there was no room for it
(global $two (mut i32) (i32.const 0)) ;; who plays on from the root, a bit for each, where something can be proven; else 0
(global $verdict (mut i32) (i32.const 0)) ;; what is proven of the decision at hand
(global $games (mut i32) (i32.const 0)) ;; played since `search_open`
(global $solved (mut i32) (i32.const 0)) ;; after so many games the root was decided; 0: it is not

(func $tree_mixed (param $key i64) (param $word i64) (result i64)
  ;; a multiplication and the first of the two finishing steps of SplitMix64
  (local.set $key (i64.mul (i64.xor (local.get $key) (local.get $word)) (i64.const 0x9E3779B97F4A7C15)))
  (local.set $key (i64.mul (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 30)))
    (i64.const 0xBF58476D1CE4E5B9)))
  (i64.xor (local.get $key) (i64.shr_u (local.get $key) (i64.const 27))))
(func $tree_key (param $key i64) (param $option i32) (result i64) (local $at i32) (local $end i32)
  ;; of an option behind a key: its words are the offer and the values of the offer's variables (see `bind`); what lies
  ;; behind them in a wider option is nobody's
  (local.set $at (i32.add (global.get $base) (i32.mul (local.get $option) (global.get $stride))))
  (local.set $end (i32.add (i32.add (local.get $at) (i32.const 4))
    (i32.shl (i32.load offset=8 (i32.add (global.get $offers)
      (i32.mul (i32.load (local.get $at)) (i32.shl (i32.load (global.get $offers)) (i32.const 2))))) (i32.const 2))))
  (loop $next
    (local.set $key (call $tree_mixed (local.get $key) (i64.add (i64.load32_s (local.get $at)) (i64.const 0x51ED27))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))
  (call $tree_named (local.get $key)))
(func $tree_named (param $key i64) (result i64) ;; a key that is not that of a free entry
  (select (local.get $key) (i64.const 1) (i64.ne (local.get $key) (i64.const 0))))
(func $tree_entry (param $key i64) (result i32) (local $at i32) (local $found i64)
  ;; the entry of a key, or the free one where it would stand: there is always one, see `tree_room`
  (local.set $at (i32.and (i32.wrap_i64 (local.get $key)) (global.get $tree_mask)))
  (loop $next
    (local.set $found (i64.load (i32.add (global.get $tree) (i32.shl (local.get $at) (i32.const 5)))))
    (if (i32.or (i64.eqz (local.get $found)) (i64.eq (local.get $found) (local.get $key)))
      (then (return (i32.add (global.get $tree) (i32.shl (local.get $at) (i32.const 5))))))
    (local.set $at (i32.and (i32.add (local.get $at) (i32.const 1)) (global.get $tree_mask)))
    (br $next))
  (unreachable))
(func $logarithm (param $x f64) (result f64) (local $bits i64) (local $exponent f64) (local $t f64) (local $s f64)
  ;; the natural logarithm of a number from 1 on, the same on every machine: x = m * 2^e with m from 1 to 2, and
  ;; log m = 2 artanh t = 2 (t + t^3 / 3 + t^5 / 5 + ...) for t = (m - 1) / (m + 1); the error is below 1e-6
  (local.set $bits (i64.reinterpret_f64 (local.get $x)))
  (local.set $exponent (f64.convert_i64_s (i64.sub (i64.shr_u (local.get $bits) (i64.const 52)) (i64.const 1023))))
  (local.set $x (f64.reinterpret_i64 (i64.or (i64.const 0x3FF0000000000000)
    (i64.and (local.get $bits) (i64.const 0xFFFFFFFFFFFFF)))))
  (local.set $t (f64.div (f64.sub (local.get $x) (f64.const 1)) (f64.add (local.get $x) (f64.const 1))))
  (local.set $s (f64.mul (local.get $t) (local.get $t)))
  (f64.add (f64.mul (local.get $exponent) (f64.const 0.6931471805599453))
    (f64.mul (f64.mul (f64.const 2) (local.get $t))
      (f64.add (f64.const 1) (f64.mul (local.get $s)
        (f64.add (f64.const 0.3333333333333333) (f64.mul (local.get $s)
          (f64.add (f64.const 0.2) (f64.mul (local.get $s)
            (f64.add (f64.const 0.14285714285714285) (f64.mul (local.get $s)
              (f64.add (f64.const 0.1111111111111111) (f64.mul (local.get $s) (f64.const 0.09090909090909091)
  )))))))))))))
(func $tree_choice (param $key i64) (param $eager f64) (param $settled i32) (result i32)
  (local $k i32) (local $at i32) (local $new i32) (local $best i32) (local $found i32) (local $made i32) (local $proven i32)
  (local $won i32)
  (local $score f64) (local $most f64) (local $visits f64) (local $wanted i64) (local $of i64)
  ;; the option to go on with: one that was never tried, each as likely; else the one with the highest bound (UCB1, with
  ;; how often an option was there for how often it could have been tried, as in ISMCTS). Its entry is added to the path;
  ;; a lone option has none. Of which it is proven how they end, none is tried again. -1: the decision is `verdict`, since
  ;; an option wins (unless it is not `settled` by that), or since all are proven
  (global.set $verdict (i32.const 0))
  (if (i32.eq (global.get $count) (i32.const 1)) (then (return (i32.const 0))))
  (local.set $best (i32.const -1))
  (local.set $most (f64.const -1e300))
  (loop $next
    (local.set $of (call $tree_key (local.get $key) (local.get $k)))
    (local.set $at (call $tree_entry (local.get $of)))
    (if (i32.and (i64.ne (i64.load (local.get $at)) (i64.const 0)) (i32.ne (i32.load offset=8 (local.get $at)) (i32.const 0)))
      (then
        (i32.store offset=12 (local.get $at) (i32.add (i32.load offset=12 (local.get $at)) (i32.const 1)))
        (local.set $visits (f64.convert_i32_u (i32.load offset=8 (local.get $at))))
        (if (local.tee $proven (i32.load offset=28 (local.get $at))) (then
          (if (i32.eqz (local.get $won)) (then
            (local.set $won (i32.eq (local.get $proven) (i32.add (global.get $player) (i32.const 1))))
            (global.set $verdict (local.get $proven))))))
        (local.set $score (f64.add
          (f64.div (f64.load offset=16 (local.get $at)) (local.get $visits))
          (f64.mul (local.get $eager) (f64.sqrt (f64.div
            (call $logarithm (f64.convert_i32_u (i32.load offset=12 (local.get $at)))) (local.get $visits))))))
        (if (i32.and (i32.eqz (i32.or (local.get $new) (local.get $proven))) (f64.gt (local.get $score) (local.get $most))) (then
          (local.set $most (local.get $score))
          (local.set $best (local.get $k))
          (local.set $found (local.get $at)))))
      (else
        (local.set $new (i32.add (local.get $new) (i32.const 1)))
        (if (i32.eqz (call $below (i32.const {player}) (local.get $new))) (then
          (local.set $made (local.get $k))
          (local.set $wanted (local.get $of))))))
    (br_if $next (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (global.get $count))))
  (if (i32.or (i32.and (local.get $won) (local.get $settled))
        (i32.and (i32.eqz (local.get $new)) (i32.lt_s (local.get $best) (i32.const 0))))
    (then (return (i32.const -1))))
  (if (local.get $new) (then
    (local.set $found (call $tree_entry (local.get $wanted)))
    (local.set $best (local.get $made))
    (global.set $added (i32.const 1))
    (if (i64.eqz (i64.load (local.get $found))) (then
      (if (i32.eqz (global.get $tree_room)) (then
        (global.set $added (i32.const 2))
        (return (local.get $best))))
      (global.set $tree_room (i32.sub (global.get $tree_room) (i32.const 1)))
      (i64.store (local.get $found) (local.get $wanted))
      (i32.store offset=12 (local.get $found) (i32.const 1))
      (i32.store offset=24 (local.get $found) (global.get $player))))))
  (i32.store (i32.add (global.get $path) (i32.shl (global.get $depth) (i32.const 2))) (local.get $found))
  (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
  (local.get $best))
;; what everybody sees, from one address to another, comes into a key
(func $tree_hashed (param $key i64) (param $at i32) (param $end i32) (result i64)
  (loop $next
    (local.set $key (call $tree_mixed (local.get $key) (i64.add (i64.load32_s (local.get $at)) (i64.const 0x51ED27))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4))) (local.get $end))))
  (local.get $key))
(func $tree_noted (param $key i64) (result i32) (local $at i32)
  ;; the entry of a node or an outcome, which is made where there is none; 0: there is no room for it. Options have half of the
  ;; room for themselves
  (local.set $at (call $tree_entry (local.get $key)))
  (if (i64.eqz (i64.load (local.get $at))) (then
    (if (i32.le_u (global.get $tree_room) (global.get $tree_kept)) (then (return (i32.const 0))))
    (global.set $tree_room (i32.sub (global.get $tree_room) (i32.const 1)))
    (i64.store (local.get $at) (local.get $key))))
  (local.get $at))
(func $tree_outcome (param $key i64) (result i64) (local $node i32) (local $of i64) (local $many i64)
  ;; the key behind what chance has given: that of the outcome, or where there are enough of them the key as it is
  (if (i32.eqz (local.tee $node (call $tree_noted (call $tree_named (call $tree_mixed (local.get $key) (i64.const 0xD1CE))))))
    (then (return (local.get $key))))
  (i32.store offset=8 (local.get $node) (i32.add (i32.load offset=8 (local.get $node)) (i32.const 1)))
  (local.set $of (call $tree_named (call $tree_seen (call $tree_mixed
    (if (result i64) (i32.const {hiding}) (then (local.get $key)) (else (i64.const 0))) (i64.const 0x0DD5)))))
  (if (i64.eqz (i64.load (call $tree_entry (local.get $of)))) (then
    (local.set $many (i64.load32_u offset=12 (local.get $node)))
    (if (i64.ge_u (i64.mul (local.get $many) (local.get $many))
          (i64.mul (i64.const {outcomes}) (i64.load32_u offset=8 (local.get $node))))
      (then (return (local.get $key))))
    (if (i32.eqz (call $tree_noted (local.get $of))) (then (return (local.get $key))))
    (i32.store offset=12 (local.get $node) (i32.add (i32.wrap_i64 (local.get $many)) (i32.const 1)))))
  (local.get $of))
(func $tree_root (param $number i32) (local $at i32)
  ;; the next game begins from this one
  (local.set $at (i32.add (global.get $roots) (i32.shl (local.get $number) (i32.const 3))))
  (global.set $root (i32.load (local.get $at)))
  (global.set $root_base (i32.load offset=4 (local.get $at))))
(func $tree_back
  ;; where the search began, its options too
  (memory.copy (i32.const 0) (global.get $root) (i32.const {extent}))
  (call $reset)
  (global.set $playing (i32.const 0))
  (global.set $count (i32.load offset={info} (i32.const 0)))
  (global.set $player (i32.load offset={info_player} (i32.const 0)))
  (global.set $stride (i32.load offset={info_stride} (i32.const 0)))
  (global.set $offers (i32.load offset={info_offers} (i32.const 0)))
  (global.set $base (global.get $root_base)))
(func $tree_judged (param $status i32) (local $p i32) (local $at i32) (local $sum f64) (local $worth f64) (local $others f64) (local $left f64)
  ;; what each player gets, by how the game stands: whoever has won 1, all others nothing; where nobody has won yet, about
  ;; half, more for whom the position is worth more than for the others. A lone player has nobody to be compared with: his
  ;; worth stands between -1 and 1, see `SearchAssembly`
  (if (i32.eq (local.get $status) (i32.const 2)) (then
    (if (i32.or (i32.load offset=20 (i32.const 0)) (i32.eq (i32.const {players}) (i32.const 1))) (then
      (loop $next
        (f64.store (i32.add (global.get $gains) (i32.shl (local.get $p) (i32.const 3)))
          (f64.convert_i32_u (i32.and (i32.shr_u (i32.load offset=20 (i32.const 0)) (local.get $p)) (i32.const 1))))
        (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1))) (i32.const {players}))))
      (return)))))
  (if (i32.eq (i32.const {players}) (i32.const 1)) (then
    (global.set $steps (i32.const 0))
    (f64.store (global.get $gains) (f64.add (f64.const 0.5) (f64.mul (f64.const {share}) (call $worth (i32.const 0)))))
    (return)))
  (loop $next
    (if (i32.eqz (i32.and (i32.shr_u (i32.load offset=36 (i32.const 0)) (local.get $p)) (i32.const 1))) (then
      (local.set $left (f64.add (local.get $left) (f64.const 1)))))
    (global.set $steps (i32.const 0))
    (local.set $worth (call $worth (local.get $p)))
    (local.set $sum (f64.add (local.get $sum) (local.get $worth)))
    (f64.store (i32.add (global.get $gains) (i32.shl (local.get $p) (i32.const 3))) (local.get $worth))
    (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1))) (i32.const {players}))))
  (local.set $p (i32.const 0))
  (loop $next
    (local.set $at (i32.add (global.get $gains) (i32.shl (local.get $p) (i32.const 3))))
    (local.set $worth (f64.load (local.get $at)))
    (local.set $others (f64.div (f64.sub (local.get $sum) (local.get $worth))
      (f64.max (f64.const 1) (f64.sub (local.get $left) (f64.const 1)))))
    (f64.store (local.get $at) (f64.add (f64.const 0.5) (f64.mul (f64.const {share})
      (f64.div (f64.sub (local.get $worth) (local.get $others))
        (f64.add (f64.abs (f64.sub (local.get $worth) (local.get $others)))
          (f64.add (f64.const 1) (f64.mul (f64.const {scale})
            (f64.add (f64.abs (local.get $worth)) (f64.abs (local.get $others))))))))))
    (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1))) (i32.const {players})))))
(func $tree_mixture (local $p i32) (local $at i32)
  ;; what each player gets from a game that was played on: in part by what its leaf was worth
  (loop $next
    (local.set $at (i32.add (global.get $gains) (i32.shl (local.get $p) (i32.const 3))))
    (f64.store (local.get $at) (f64.add
      (f64.mul (f64.const {played}) (f64.load (local.get $at)))
      (f64.mul (f64.const {valued}) (f64.load (i32.add (global.get $leaf) (i32.shl (local.get $p) (i32.const 3)))))))
    (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1))) (i32.const {players})))))
(func $tree_update (local $k i32) (local $at i32)
  ;; the gains of a game to all entries on its way
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (global.get $depth)))
    (local.set $at (i32.load (i32.add (global.get $path) (i32.shl (local.get $k) (i32.const 2)))))
    (i32.store offset=8 (local.get $at) (i32.add (i32.load offset=8 (local.get $at)) (i32.const 1)))
    (f64.store offset=16 (local.get $at) (f64.add (f64.load offset=16 (local.get $at))
      (f64.load (i32.add (global.get $gains) (i32.shl (i32.load offset=24 (local.get $at)) (i32.const 3))))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next))))
(func $tree_ended (result i32) (local $won i32)
  ;; what a game that has ended proves
  (local.set $won (i32.and (i32.load offset=20 (i32.const 0)) (global.get $two)))
  (if (i32.eq (i32.popcnt (local.get $won)) (i32.const 1))
    (then (return (i32.add (i32.ctz (local.get $won)) (i32.const 1)))))
  (select (i32.const {nobody}) (i32.const 0) (i32.eq (i32.const {players}) (i32.const 1))))
(func $tree_proven (param $proven i32)
  ;; of the last entry of the path; and what each player gets by it. Without an entry it is proven of the root
  (if (global.get $depth)
    (then (i32.store offset=28 (i32.load (i32.add (global.get $path)
      (i32.shl (i32.sub (global.get $depth) (i32.const 1)) (i32.const 2)))) (local.get $proven)))
    (else (global.set $solved (global.get $games))))
  (memory.fill (global.get $gains) (i32.const 0) (i32.const {gains_bytes}))
  (if (i32.le_u (local.get $proven) (i32.const {players})) (then
    (f64.store (i32.add (global.get $gains) (i32.shl (i32.sub (local.get $proven) (i32.const 1)) (i32.const 3))) (f64.const 1)))))
(func $tree_turn (param $status i32) (param $who i32) (param $cut i32) (result i32)
  ;; on by chance as long as somebody is asked again, for so many choices at most
  (block $done (loop $next
    (br_if $done (i32.or (i32.ne (local.get $status) (i32.const 1)) (i32.ne (global.get $player) (local.get $who))))
    (br_if $done (i32.eqz (local.get $cut)))
    (local.set $cut (i32.sub (local.get $cut) (i32.const 1)))
    (local.set $status (call $go_on (call $below (i32.const {player}) (global.get $count))))
    (br $next)))
  (local.get $status))
(func $tree_game (param $deep i32) (param $cut i32) (param $eager f64) (param $how i32) (result i32)
  (local $status i32) (local $key i64) (local $option i32) (local $who i32) (local $before i64) (local $behind i64)
  (local $whole i64) (local $low i64) (local $high i64)
  ;; one game from the root: down the tree, one entry more, then by chance for so many choices; 0, or the fault of a rule,
  ;; which counts as a loss for everybody on the way
  (global.set $depth (i32.const 0))
  (global.set $added (i32.const 0))
  (call $tree_root (i32.rem_u (global.get $games) (global.get $rooted)))
  (global.set $games (i32.add (global.get $games) (i32.const 1)))
  (local.set $key (i64.const 1))
  (local.set $status (i32.const 1))
  (block $caught (result i32)
    (try_table (catch $fault $caught)
      (call $tree_back)
      (local.set $who (global.get $player))
      (call $seed (i32.const 0) (i64.or (i64.extend_i32_u (call $draw (i32.const {player})))
        (i64.shl (i64.extend_i32_u (call $draw (i32.const {player}))) (i64.const 32))))
      (local.set $before (i64.load (i32.const 0)))
      (local.set $behind (i64.load offset=8 (i32.const 0)))
      (block $judged
        (block $leaf (loop $next
          (local.set $option (call $tree_choice (local.get $key) (local.get $eager)
            (i32.or (global.get $depth) (i32.and (local.get $how) (i32.const 1)))))
          (if (i32.lt_s (local.get $option) (i32.const 0)) (then
            (call $tree_proven (global.get $verdict))
            (br $judged)))
          ;; whoever is asked while answers are secret knows none of them: they come into the key together
          (local.set $whole (call $tree_key
            (select (local.get $key) (local.get $whole) (i64.eqz (local.get $whole))) (local.get $option)))
          (if (call $tree_sealed)
            (then (local.set $key (call $tree_mixed (local.get $key) (i64.const 0x5EA1ED))))
            (else
              (local.set $key (local.get $whole))
              (local.set $whole (i64.const 0))))
          (local.set $low (i64.load (i32.const 0)))
          (local.set $high (i64.load offset=8 (i32.const 0)))
          (local.set $status (call $go_on (local.get $option)))
          (br_if $leaf (i32.ne (local.get $status) (i32.const 1)))
          (br_if $leaf (global.get $added))
          (br_if $leaf (i32.and (i32.shr_u (local.get $how) (i32.const 1)) (i32.ne (global.get $player) (local.get $who))))
          (if (i32.and (i32.and (i64.eqz (local.get $whole)) (i32.eqz (i32.and (local.get $how) (i32.const 4))))
              (i32.eqz (i32.and (i64.eq (local.get $low) (i64.load (i32.const 0)))
                (i64.eq (local.get $high) (i64.load offset=8 (i32.const 0))))))
            (then (local.set $key (call $tree_outcome (local.get $key)))))
          (br_if $next (i32.lt_u (global.get $depth) (local.get $deep)))))
        (if (i32.and (i32.and (i32.eq (local.get $status) (i32.const 2)) (i32.ne (global.get $added) (i32.const 2)))
            (i32.and (i64.eq (local.get $before) (i64.load (i32.const 0)))
              (i64.eq (local.get $behind) (i64.load offset=8 (i32.const 0)))))
          (then (if (local.tee $option (if (result i32) (global.get $two) (then (call $tree_ended)) (else (i32.const 0)))) (then
            (call $tree_proven (local.get $option))
            (br $judged)))))
        (if (i32.and (local.get $how) (i32.const 2))
          (then (local.set $status (call $tree_turn (local.get $status) (local.get $who) (local.get $cut))))
          (else
            (global.set $choices (i32.const 0))
            (global.set $most (local.get $cut))
            (global.set $work (i64.const 0))
            (if (i32.and (i32.eq (local.get $status) (i32.const 1)) (i32.ne (local.get $cut) (i32.const 0))) (then
              (call $tree_judged (local.get $status))
              (memory.copy (global.get $leaf) (global.get $gains) (i32.const {gains_bytes}))
              (local.set $status (call $random_play (local.get $status)))
              (call $tree_judged (local.get $status))
              (call $tree_mixture)
              (br $judged)))))
        (call $tree_judged (local.get $status))))
    (call $tree_update)
    (return (i32.const 0)))
  (local.set $option)
  (memory.fill (global.get $gains) (i32.const 0) (i32.const {gains_bytes}))
  (call $tree_update)
  (local.get $option))

;; ---- what the host calls -----------------------------------------------------------------------

(func (export "search_open") (param $bits i32) (result i32)
  ;; room for a tree of so many entries (a power of two) in front of the options, for twice as many where there is chance;
  ;; less than 0: there is none
  (if (i32.lt_u (local.get $bits) (i32.const {most_bits}))
    (then (local.set $bits (i32.add (local.get $bits) (i32.const {chancy})))))
  (global.set $floor (i32.const {heap}))
  (call $reset)
  (block $caught (result i32)
    (try_table (catch $fault $caught)
      (global.set $roots (call $room (i32.const {roots_bytes})))
      (global.set $path (call $room (i32.const {path_bytes})))
      (global.set $gains (call $room (i32.const {gains_room})))
      (global.set $leaf (call $room (i32.const {gains_room})))
      (global.set $tree (call $room (i32.shl (i32.const 32) (local.get $bits)))))
    (global.set $tree_mask (i32.sub (i32.shl (i32.const 1) (local.get $bits)) (i32.const 1)))
    (global.set $tree_room (i32.sub (i32.add (global.get $tree_mask) (i32.const 1))
      (i32.shr_u (i32.add (global.get $tree_mask) (i32.const 1)) (i32.const 2))))
    (global.set $tree_kept (i32.shr_u (global.get $tree_room) (i32.const 1)))
    (memory.fill (global.get $tree) (i32.const 0) (i32.shl (i32.const 32) (local.get $bits)))
    (global.set $games (i32.const 0))
    (global.set $solved (i32.const 0))
    (global.set $rooted (i32.const 0))
    (global.set $floor (global.get $end))
    (call $reset)
    (return (i32.const 0)))
  (i32.mul (i32.const -1)))
(func (export "search_worth") (result i32) (local $p i32)
  ;; can it be computed what the position at hand is worth to each player? Else less than 0: the fault
  (block $caught (result i32)
    (try_table (catch $fault $caught)
      (loop $next
        (global.set $steps (i32.const 0))
        (drop (call $worth (local.get $p)))
        (br_if $next (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 1))) (i32.const {players})))))
    (return (i32.const 0)))
  (i32.mul (i32.const -1)))
(func (export "search_from") (result i32) (local $at i32)
  ;; the state at hand is one more from which games begin in turn; its options are listed. They stay where they are, and
  ;; the state behind them; less than 0: there is no memory, or there are enough
  (if (i32.ge_u (global.get $rooted) (i32.const {most_roots})) (then (return (i32.const -1))))
  (block $caught (result i32)
    (try_table (catch $fault $caught)
      (global.set $end (i32.and (i32.add (global.get $end) (i32.const 15)) (i32.const -16)))
      (global.set $root (call $room (i32.const {extent_room}))))
    (memory.copy (global.get $root) (i32.const 0) (i32.const {extent}))
    (global.set $root_base (global.get $base))
    (local.set $at (i32.add (global.get $roots) (i32.shl (global.get $rooted) (i32.const 3))))
    (i32.store (local.get $at) (global.get $root))
    (i32.store offset=4 (local.get $at) (global.get $root_base))
    (global.set $rooted (i32.add (global.get $rooted) (i32.const 1)))
    (global.set $floor (global.get $end))
    (call $tree_two)
    (return (i32.const 0)))
  (i32.mul (i32.const -1)))
(func $tree_two ;; who plays, where something can be proven
  (global.set $two (i32.and (i32.const {everyone}) (i32.xor (i32.load offset=36 (i32.const 0)) (i32.const -1))))
  (if (i32.or (i32.const {hiding}) (i32.and (i32.ne (i32.popcnt (global.get $two)) (i32.const 2))
      (i32.ne (i32.const {players}) (i32.const 1))))
    (then (global.set $two (i32.const 0)))))
(func (export "search_on") (param $games i32) (param $deep i32) (param $cut i32) (param $eager f64) (param $how i32) (result i32)
  (local $failed i32)
  ;; so many games, or until the root is decided; yields in how many of them a rule failed. `how` has bit 0: an option that
  ;; wins decides the root; bit 1: nothing is looked at behind the consecutive choices of whoever is asked at the root; bit 2:
  ;; what chance gives is not told apart
  (block $done (loop $next
    (br_if $done (i32.or (i32.eqz (local.get $games)) (i32.ne (global.get $solved) (i32.const 0))))
    (if (call $tree_game (local.get $deep) (local.get $cut) (local.get $eager) (local.get $how))
      (then (local.set $failed (i32.add (local.get $failed) (i32.const 1)))))
    (local.set $games (i32.sub (local.get $games) (i32.const 1)))
    (br $next)))
  (call $tree_back)
  (local.get $failed))
(func (export "search_solved") (result i32) ;; how many games there were until the root was decided; 0: it is not
  (global.get $solved))
(func (export "search_entry") (param $option i32) (result i32)
  ;; of an option at the root where the entry stands, 0 where it was never tried
  (local $at i32)
  (local.set $at (call $tree_entry (call $tree_key (i64.const 1) (local.get $option))))
  (select (local.get $at) (i32.const 0) (i64.ne (i64.load (local.get $at)) (i64.const 0))))
