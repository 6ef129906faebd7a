;; What is the same for every program. Names in braces are filled in by `assembly`: addresses, sizes, numbers.
;; The state stands at address 0: 0-15 the generator, 16 status, 20 winners, 24 reason, 28 decisions, 32 top, 36 out.

(tag $fault (param i32))
(global $steps (mut i32) (i32.const 0))
(global $budget (export "budget") (mut i32) (i32.const {budget}))
(global $certain (mut i32) (i32.const 0)) ;; within a search chance is a fault
(global $look (mut i32) (i32.const 0)) ;; a decision only lists its options
(global $count (mut i32) (i32.const 0)) ;; options of the decision at hand
(global $player (mut i32) (i32.const 0))
(global $base (mut i32) (i32.const {heap})) ;; where its options begin
(global $stride (mut i32) (i32.const 4)) ;; bytes of an option
(global $offers (mut i32) (i32.const 0)) ;; the table of the decision's offers
(global $end (mut i32) (i32.const {heap})) ;; where the heap is free
(global $floor (mut i32) (i32.const {heap}))
(global $limit (mut i32) (i32.const {limit}))
(global $saved (mut i32) (i32.const 0)) ;; what the search under way has put aside
(global $choices (mut i32) (i32.const 0))
(global $playing (mut i32) (i32.const 0)) ;; a game by chance: decisions are not come to, but drawn
(global $much i64 (i64.const {work})) ;; steps of it before the host is heard
(global $most (mut i32) (i32.const 0)) ;; choices of it
(global $work (mut i64) (i64.const 0)) ;; steps of a game by chance since the host was heard

;; too many steps are another fault (613) within a search: it was given up
(func $fail (param $code i32)
  (throw $fault (select (i32.const 613) (local.get $code)
    (i32.and (global.get $certain) (i32.eq (local.get $code) (i32.const 608))))))

(func $room (param $size i32) (result i32) (local $at i32)
  (local.set $at (global.get $end))
  (global.set $end (i32.add (local.get $at) (local.get $size)))
  (if (i32.gt_u (global.get $end) (global.get $limit)) (then (call $grow)))
  (local.get $at))
(func $grow (local $pages i32)
  (local.set $pages
    (i32.add (i32.shr_u (i32.sub (global.get $end) (global.get $limit)) (i32.const 16)) (i32.const 16)))
  (if (i32.lt_s (memory.grow (local.get $pages)) (i32.const 0)) (then (call $fail (i32.const {no_room}))))
  (global.set $limit (i32.add (global.get $limit) (i32.shl (local.get $pages) (i32.const 16)))))

;; ---- chance: PCG32, at any address -----------------------------------------------------------

(func $seed (param $at i32) (param $number i64)
  (i64.store (local.get $at) (i64.add
    (i64.mul (i64.add (local.get $number) (i64.const {increment})) (i64.const {multiplier}))
    (i64.const {increment})))
  (i64.store offset=8 (local.get $at) (i64.const {increment})))
(func $draw (param $at i32) (result i32) (local $old i64)
  (local.set $old (i64.load (local.get $at)))
  (i64.store (local.get $at) (i64.add
    (i64.mul (local.get $old) (i64.const {multiplier})) (i64.load offset=8 (local.get $at))))
  (i32.rotr
    (i32.wrap_i64 (i64.shr_u (i64.xor (i64.shr_u (local.get $old) (i64.const 18)) (local.get $old)) (i64.const 27)))
    (i32.wrap_i64 (i64.shr_u (local.get $old) (i64.const 59)))))
(func $below (param $at i32) (param $bound i32) (result i32) (local $word i32) (local $old i64)
  (loop $again
    (local.set $old (i64.load (local.get $at))) ;; `draw`, written out
    (i64.store (local.get $at) (i64.add
      (i64.mul (local.get $old) (i64.const {multiplier})) (i64.load offset=8 (local.get $at))))
    (local.set $word (i32.rotr
      (i32.wrap_i64 (i64.shr_u (i64.xor (i64.shr_u (local.get $old) (i64.const 18)) (local.get $old)) (i64.const 27)))
      (i32.wrap_i64 (i64.shr_u (local.get $old) (i64.const 59)))))
    ;; a word at or above the bound is never among those thrown away, which saves a division
    (if (i32.lt_u (local.get $word) (local.get $bound)) (then
      (br_if $again (i32.lt_u (local.get $word)
        (i32.rem_u (i32.sub (i32.const 0) (local.get $bound)) (local.get $bound)))))))
  (i32.rem_u (local.get $word) (local.get $bound)))
(func $fair (param $at i32) (param $word i32) (param $bound i32) (result i32)
  ;; a word that is not among those thrown away: this, or one of the next
  (loop $again
    (if (i32.ge_u (local.get $word)
          (i32.rem_u (i32.sub (i32.const 0) (local.get $bound)) (local.get $bound)))
      (then (return (local.get $word))))
    (local.set $word (call $draw (local.get $at)))
    (br $again))
  (unreachable))
(func $chance (if (global.get $certain) (then (call $fail (i32.const {chance})))))
(func $any_of (param $count i32) (result i32)
  (call $chance)
  (if (i32.eqz (local.get $count)) (then (call $fail (i32.const 605))))
  (call $below (i32.const 0) (local.get $count)))
(func $roll (param $count i32) (param $sides i32) (result i32) (local $total i32)
  (call $chance)
  (if (i32.lt_s (local.get $count) (i32.const 0)) (then (call $fail (i32.const 601))))
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $count)))
    (local.set $total
      (i32.add (local.get $total) (i32.add (call $below (i32.const 0) (local.get $sides)) (i32.const 1))))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $next)))
  (local.get $total))
(func $roll_list (param $to i32) (param $count i32) (param $sides i32) (param $limit i32)
  (local $k i32) (local $at i32) (local $die i32)
  (call $chance)
  (if (i32.gt_u (local.get $count) (local.get $limit)) (then (call $fail (i32.const 601))))
  (i32.store (local.get $to) (local.get $count))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (local.get $count)))
    (local.set $die (i32.add (call $below (i32.const 0) (local.get $sides)) (i32.const 1)))
    (local.set $at (i32.add (local.get $to) (i32.shl (local.get $k) (i32.const 2))))
    (block $placed (loop $down ;; $at is the address before the free place
      (br_if $placed (i32.eq (local.get $at) (local.get $to)))
      (br_if $placed (i32.ge_s (i32.load (local.get $at)) (local.get $die)))
      (i32.store offset=4 (local.get $at) (i32.load (local.get $at)))
      (local.set $at (i32.sub (local.get $at) (i32.const 4)))
      (br $down)))
    (i32.store offset=4 (local.get $at) (local.get $die))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next))))
(func $nth (param $at i32) (param $k i32) (result i32) (local $bits i64) (local $here i32) (local $first i32)
  (loop $chunk
    (local.set $bits (i64.load (local.get $at)))
    (local.set $here (i32.wrap_i64 (i64.popcnt (local.get $bits))))
    (if (i32.ge_u (local.get $k) (local.get $here)) (then
      (local.set $k (i32.sub (local.get $k) (local.get $here)))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (local.set $first (i32.add (local.get $first) (i32.const 64)))
      (br $chunk))))
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $k)))
    (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
    (local.set $k (i32.sub (local.get $k) (i32.const 1)))
    (br $next)))
  (i32.add (local.get $first) (i32.wrap_i64 (i64.ctz (local.get $bits)))))
(func $weight (param $bag i32) (param $member i32) (result i32)
  (i32.load (i32.add (local.get $bag) (i32.shl (local.get $member) (i32.const 2)))))
(func $drawn_of (param $total i64) (result i64) (local $word i32)
  (if (i64.eqz (local.get $total)) (then (call $fail (i32.const 605))))
  (if (i64.gt_u (local.get $total) (i64.const 4294967296)) (then (call $fail (i32.const 609))))
  (if (i64.eq (local.get $total) (i64.const 4294967296))
    (then (return (i64.extend_i32_u (call $draw (i32.const 0))))))
  (i64.extend_i32_u (call $below (i32.const 0) (i32.wrap_i64 (local.get $total)))))
(func $weighed (param $set i32) (param $chunks i32) (param $bag i32) (result i32)
  (local $k i32) (local $last i32) (local $total i64) (local $round i32)
  (call $chance)
  (local.set $last (i32.shl (local.get $chunks) (i32.const 6)))
  (loop $twice ;; first the sum, then the one whose share was drawn
    (local.set $k (i32.const 0))
    (loop $next
      (if (i32.and (i32.wrap_i64 (i64.shr_u
            (i64.load (i32.add (local.get $set) (i32.shl (i32.shr_u (local.get $k) (i32.const 6)) (i32.const 3))))
            (i64.extend_i32_u (local.get $k)))) (i32.const 1))
        (then (if (local.get $round)
          (then
            (local.set $total
              (i64.sub (local.get $total) (i64.extend_i32_s (call $weight (local.get $bag) (local.get $k)))))
            (if (i64.lt_s (local.get $total) (i64.const 0)) (then (return (local.get $k)))))
          (else (local.set $total
            (i64.add (local.get $total) (i64.extend_i32_s (call $weight (local.get $bag) (local.get $k)))))))))
      (br_if $next
        (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $last))))
    (local.set $total (call $drawn_of (local.get $total)))
    (local.set $round (i32.const 1))
    (br $twice))
  (unreachable))
(func $weighed_item (param $list i32) (param $bag i32) (result i32)
  (local $k i32) (local $member i32) (local $total i64) (local $round i32)
  (call $chance)
  (loop $twice
    (local.set $k (i32.const 0))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $k) (i32.load (local.get $list))))
      (local.set $member
        (i32.load offset=4 (i32.add (local.get $list) (i32.shl (local.get $k) (i32.const 2)))))
      (if (local.get $round)
        (then
          (local.set $total
            (i64.sub (local.get $total) (i64.extend_i32_s (call $weight (local.get $bag) (local.get $member)))))
          (if (i64.lt_s (local.get $total) (i64.const 0)) (then (return (local.get $member)))))
        (else (local.set $total
          (i64.add (local.get $total) (i64.extend_i32_s (call $weight (local.get $bag) (local.get $member)))))))
      (local.set $k (i32.add (local.get $k) (i32.const 1)))
      (br $next)))
    (local.set $total (call $drawn_of (local.get $total)))
    (local.set $round (i32.const 1))
    (br $twice))
  (unreachable))

;; ---- piles: where the piles and the orders of a pool stand, and how many cards it has ---------

(func $move_card (param $at i32) (param $order i32) (param $size i32) (param $card i32) (param $pile i32)
  (param $top i32) (local $old i32) (local $here i32) (local $behind i32)
  (local.set $here (i32.add (local.get $at) (i32.shl (local.get $card) (i32.const 2))))
  (local.set $behind (i32.add (local.get $order) (i32.shl (local.get $card) (i32.const 2))))
  (local.set $old (i32.load (local.get $here)))
  (if (i32.ne (local.get $old) (i32.const {none})) (then
    (drop (call $shift (local.get $at) (local.get $order) (local.get $size) (local.get $old)
      (i32.load (local.get $behind)) (i32.const 1)))))
  (i32.store (local.get $here) (i32.const {none}))
  (i32.store (local.get $behind) (i32.const 0))
  (if (i32.eq (local.get $pile) (i32.const {none})) (then (return)))
  (local.set $old (call $shift (local.get $at) (local.get $order) (local.get $size) (local.get $pile) (i32.const -1)
    (select (i32.const -1) (i32.const 0) (local.get $top))))
  (i32.store (local.get $here) (local.get $pile))
  (i32.store (local.get $behind) (select (i32.const 0) (local.get $old) (local.get $top))))
(func $shift (param $at i32) (param $order i32) (param $size i32) (param $pile i32) (param $place i32) (param $up i32)
  (result i32) (local $end i32) (local $found i32) (local $moved v128) (local $sum v128)
  ;; the cards of a pile that lie below a place go up by so many, four at a time; yields how many they are
  (local.set $end (i32.add (local.get $at) (i32.shl (i32.and (local.get $size) (i32.const -4)) (i32.const 2))))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (local.set $moved (v128.and
      (i32x4.eq (v128.load (local.get $at)) (i32x4.splat (local.get $pile)))
      (i32x4.gt_s (v128.load (local.get $order)) (i32x4.splat (local.get $place)))))
    (local.set $sum (i32x4.sub (local.get $sum) (local.get $moved)))
    (v128.store (local.get $order) (i32x4.sub (v128.load (local.get $order))
      (v128.and (local.get $moved) (i32x4.splat (local.get $up)))))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (local.set $order (i32.add (local.get $order) (i32.const 16)))
    (br $next)))
  (local.set $found (i32.add
    (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
    (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
  (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $size) (i32.const 3)) (i32.const 2))))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (if (i32.and (i32.eq (i32.load (local.get $at)) (local.get $pile))
                 (i32.gt_s (i32.load (local.get $order)) (local.get $place)))
      (then
        (local.set $found (i32.add (local.get $found) (i32.const 1)))
        (i32.store (local.get $order) (i32.sub (i32.load (local.get $order)) (local.get $up)))))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (local.set $order (i32.add (local.get $order) (i32.const 4)))
    (br $next)))
  (local.get $found))
(func $shuffle_pile (param $at i32) (param $order i32) (param $size i32) (param $pile i32)
  (local $k i32) (local $count i32) (local $to i32) (local $cards i32) (local $place i32) (local $card i32)
  (local.set $cards (global.get $end)) ;; the cards, the top one first, above all else on the heap
  (drop (call $room (i32.shl (local.get $size) (i32.const 2))))
  (global.set $end (local.get $cards))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (local.get $size)))
    (if (i32.eq (i32.load (i32.add (local.get $at) (i32.shl (local.get $k) (i32.const 2)))) (local.get $pile)) (then
      (local.set $place (i32.load (i32.add (local.get $order) (i32.shl (local.get $k) (i32.const 2)))))
      (local.set $to (local.get $count))
      (block $placed (loop $down
        (br_if $placed (i32.eqz (local.get $to)))
        (local.set $card (call $card (local.get $cards) (i32.sub (local.get $to) (i32.const 1))))
        (br_if $placed (i32.le_s
          (i32.load (i32.add (local.get $order) (i32.shl (local.get $card) (i32.const 2)))) (local.get $place)))
        (call $set_card (local.get $cards) (local.get $to) (local.get $card))
        (local.set $to (i32.sub (local.get $to) (i32.const 1)))
        (br $down)))
      (call $set_card (local.get $cards) (local.get $to) (local.get $k))
      (local.set $count (i32.add (local.get $count) (i32.const 1)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next)))
  (if (i32.lt_u (local.get $count) (i32.const 2)) (then (return)))
  (call $chance)
  (local.set $k (i32.sub (local.get $count) (i32.const 1)))
  (loop $next
    (local.set $to (call $below (i32.const 0) (i32.add (local.get $k) (i32.const 1))))
    (local.set $card (call $card (local.get $cards) (local.get $k)))
    (call $set_card (local.get $cards) (local.get $k) (call $card (local.get $cards) (local.get $to)))
    (call $set_card (local.get $cards) (local.get $to) (local.get $card))
    (br_if $next (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
  (loop $next
    (i32.store
      (i32.add (local.get $order) (i32.shl (call $card (local.get $cards) (local.get $k)) (i32.const 2)))
      (local.get $k))
    (br_if $next (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $count)))))
(func $card (param $cards i32) (param $k i32) (result i32)
  (i32.load (i32.add (local.get $cards) (i32.shl (local.get $k) (i32.const 2)))))
(func $set_card (param $cards i32) (param $k i32) (param $card i32)
  (i32.store (i32.add (local.get $cards) (i32.shl (local.get $k) (i32.const 2))) (local.get $card)))

;; ---- numbers and sets ------------------------------------------------------------------------

(func $div_down (param $a i64) (param $b i64) (result i64) (local $q i64)
  (if (i64.eqz (local.get $b)) (then (call $fail (i32.const 609))))
  (if (i64.eq (local.get $b) (i64.const -1)) (then (return (i64.sub (i64.const 0) (local.get $a)))))
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (i64.sub (local.get $q) (i64.extend_i32_u (i32.and
    (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))
    (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a))))))
(func $div_up (param $a i64) (param $b i64) (result i64)
  (i64.sub (i64.const 0) (call $div_down (i64.sub (i64.const 0) (local.get $a)) (local.get $b))))
(func $div_zero (param $a i64) (param $b i64) (result i64)
  (if (i64.eqz (local.get $b)) (then (call $fail (i32.const 609))))
  (if (i64.eq (local.get $b) (i64.const -1)) (then (return (i64.sub (i64.const 0) (local.get $a)))))
  (i64.div_s (local.get $a) (local.get $b)))
(func $div_exact (param $a i64) (param $b i64) (result i64) (local $q i64)
  (local.set $q (call $div_down (local.get $a) (local.get $b)))
  (if (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a)) (then (call $fail (i32.const 609))))
  (local.get $q))
(func $narrowed (param $x i64) (result i32) ;; an index; what does not fit becomes one that no list has
  (select (i32.wrap_i64 (local.get $x)) (i32.const -1)
    (i64.eq (local.get $x) (i64.extend_i32_s (i32.wrap_i64 (local.get $x))))))
(func $span (param $a i64) (param $b i64) (result i64) ;; the bits from a to b of 0 to 63
  (if (i64.lt_s (local.get $a) (i64.const 0)) (then (local.set $a (i64.const 0))))
  (if (i64.gt_s (local.get $b) (i64.const 63)) (then (local.set $b (i64.const 63))))
  (if (i64.gt_s (local.get $a) (local.get $b)) (then (return (i64.const 0))))
  (i64.and (i64.shl (i64.const -1) (local.get $a))
    (i64.shr_u (i64.const -1) (i64.sub (i64.const 63) (local.get $b)))))
(func $from (param $a i32) (result i64) ;; the bits from a on
  (if (i32.le_s (local.get $a) (i32.const 0)) (then (return (i64.const -1))))
  (if (i32.gt_s (local.get $a) (i32.const 63)) (then (return (i64.const 0))))
  (i64.shl (i64.const -1) (i64.extend_i32_u (local.get $a))))
(func $set_bit (param $set i32) (param $k i32) (local $at i32)
  (local.set $at (i32.add (local.get $set) (i32.shl (i32.shr_u (local.get $k) (i32.const 6)) (i32.const 3))))
  (i64.store (local.get $at)
    (i64.or (i64.load (local.get $at)) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $k))))))

;; ---- bags and lists in memory ----------------------------------------------------------------

;; Puts an element into a list that is in the order of its measures (i64, from `$measures` on), behind those of the same.
(func $put_in_order (param $list i32) (param $measures i32) (param $one i32) (param $measure i64)
  (local $at i32) (local $length i32)
  (local.set $length (i32.load (local.get $list)))
  (i32.store (local.get $list) (i32.add (local.get $length) (i32.const 1)))
  (local.set $at (i32.add (local.get $list) (i32.shl (local.get $length) (i32.const 2))))
  (local.set $measures (i32.add (local.get $measures) (i32.shl (local.get $length) (i32.const 3))))
  (block $found (loop $next
    (br_if $found (i32.eq (local.get $at) (local.get $list)))
    (br_if $found (i64.le_s (i64.load (i32.sub (local.get $measures) (i32.const 8))) (local.get $measure)))
    (i32.store offset=4 (local.get $at) (i32.load (local.get $at)))
    (i64.store (local.get $measures) (i64.load (i32.sub (local.get $measures) (i32.const 8))))
    (local.set $at (i32.sub (local.get $at) (i32.const 4)))
    (local.set $measures (i32.sub (local.get $measures) (i32.const 8)))
    (br $next)))
  (i32.store offset=4 (local.get $at) (local.get $one))
  (i64.store (local.get $measures) (local.get $measure)))

(func $same (param $a i32) (param $b i32) (param $count i32) (result i32)
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $count)))
    (if (i32.ne (i32.load (local.get $a)) (i32.load (local.get $b))) (then (return (i32.const 0))))
    (local.set $a (i32.add (local.get $a) (i32.const 4)))
    (local.set $b (i32.add (local.get $b) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $next)))
  (i32.const 1))
(func $same_list (param $a i32) (param $b i32) (param $words i32) (result i32)
  (call $same (local.get $a) (local.get $b)
    (select (i32.add (i32.mul (i32.load (local.get $a)) (local.get $words)) (i32.const 1)) (i32.const 1)
      (i32.eq (i32.load (local.get $a)) (i32.load (local.get $b))))))
(func $copy_list (param $to i32) (param $from i32) (param $stride i32) (local $size i32)
  (local.set $size (i32.add (i32.const 4) (i32.mul (i32.load (local.get $from)) (local.get $stride))))
  (if (i32.gt_u (local.get $size) (i32.const 64)) (then
    (memory.copy (local.get $to) (local.get $from) (local.get $size))
    (return)))
  (if (i32.gt_u (local.get $to) (local.get $from)) (then ;; from the end on, as the two may overlap
    (loop $next
      (local.set $size (i32.sub (local.get $size) (i32.const 4)))
      (i32.store (i32.add (local.get $to) (local.get $size))
        (i32.load (i32.add (local.get $from) (local.get $size))))
      (br_if $next (local.get $size)))
    (return)))
  (local.set $size (i32.add (local.get $size) (local.get $from)))
  (loop $next
    (i32.store (local.get $to) (i32.load (local.get $from)))
    (local.set $to (i32.add (local.get $to) (i32.const 4)))
    (br_if $next
      (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 4))) (local.get $size)))))
(func $store_list (param $to i32) (param $from i32) (param $stride i32) (param $size i32) (local $filled i32)
  (local.set $filled (i32.add (i32.const 4) (i32.mul (i32.load (local.get $from)) (local.get $stride))))
  (call $copy_list (local.get $to) (local.get $from) (local.get $stride))
  (if (i32.gt_u (local.get $size) (i32.const 64)) (then
    (memory.fill (i32.add (local.get $to) (local.get $filled)) (i32.const 0)
      (i32.sub (local.get $size) (local.get $filled)))
    (return)))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $filled) (local.get $size)))
    (i32.store (i32.add (local.get $to) (local.get $filled)) (i32.const 0))
    (local.set $filled (i32.add (local.get $filled) (i32.const 4)))
    (br $next))))
(func $list_bits (param $list i32) (param $low i32) (result i64) (local $k i32) (local $x i32) (local $bits i64)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (i32.load (local.get $list))))
    (local.set $x (i32.sub
      (i32.load offset=4 (i32.add (local.get $list) (i32.shl (local.get $k) (i32.const 2)))) (local.get $low)))
    (if (i32.lt_u (local.get $x) (i32.const 64)) (then
      (local.set $bits (i64.or (local.get $bits) (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $x)))))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next)))
  (local.get $bits))
(func $list_within (param $list i32) (param $low i32) (param $high i32) (result i32) (local $k i32) (local $x i32)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (i32.load (local.get $list))))
    (local.set $x (i32.load offset=4 (i32.add (local.get $list) (i32.shl (local.get $k) (i32.const 2)))))
    (if (i32.or (i32.lt_s (local.get $x) (local.get $low)) (i32.gt_s (local.get $x) (local.get $high)))
      (then (return (i32.const 0))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next)))
  (i32.const 1))
(func $bag_size (param $bag i32) (param $count i32) (result i64) (local $total i64)
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $count)))
    (local.set $total (i64.add (local.get $total) (i64.load32_s (local.get $bag))))
    (local.set $bag (i32.add (local.get $bag) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $next)))
  (local.get $total))
(func $bag_most (param $bag i32) (param $count i32) (result i32) (local $most i32)
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $count)))
    (if (i32.gt_s (i32.load (local.get $bag)) (local.get $most))
      (then (local.set $most (i32.load (local.get $bag)))))
    (local.set $bag (i32.add (local.get $bag) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $next)))
  (local.get $most))
(func $bag_set (param $bag i32) (param $count i32) (result i64) (local $k i32) (local $bits i64)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (local.get $count)))
    (local.set $bits (i64.or (local.get $bits) (i64.shl
      (i64.extend_i32_u (i32.ne (i32.load (i32.add (local.get $bag) (i32.shl (local.get $k) (i32.const 2))))
        (i32.const 0)))
      (i64.extend_i32_u (local.get $k)))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next)))
  (local.get $bits))
(func $bag_add (param $to i32) (param $a i32) (param $b i32) (param $count i32) (local $k i32)
  (local.set $count (i32.shl (local.get $count) (i32.const 2)))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (local.get $count)))
    (i32.store (i32.add (local.get $to) (local.get $k)) (i32.add
      (i32.load (i32.add (local.get $a) (local.get $k))) (i32.load (i32.add (local.get $b) (local.get $k)))))
    (local.set $k (i32.add (local.get $k) (i32.const 4)))
    (br $next))))
(func $bag_sub (param $to i32) (param $a i32) (param $b i32) (param $count i32) (local $k i32) (local $x i32)
  (local.set $count (i32.shl (local.get $count) (i32.const 2)))
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $k) (local.get $count)))
    (local.set $x (i32.sub
      (i32.load (i32.add (local.get $a) (local.get $k))) (i32.load (i32.add (local.get $b) (local.get $k)))))
    (if (i32.lt_s (local.get $x) (i32.const 0)) (then (call $fail (i32.const 601))))
    (i32.store (i32.add (local.get $to) (local.get $k)) (local.get $x))
    (local.set $k (i32.add (local.get $k) (i32.const 4)))
    (br $next))))
(func $added (param $at i32) (param $amount i64) (param $low i32) (param $high i32) (param $saturates i32)
  (local $new i64)
  (if (i32.eq (i32.load (local.get $at)) (i32.const {none})) (then (call $fail (i32.const 604))))
  (local.set $new (i64.add (i64.load32_s (local.get $at)) (local.get $amount)))
  (if (i64.lt_s (local.get $new) (i64.extend_i32_s (local.get $low))) (then
    (if (i32.eqz (local.get $saturates)) (then (call $fail (i32.const 601))))
    (local.set $new (i64.extend_i32_s (local.get $low)))))
  (if (i64.gt_s (local.get $new) (i64.extend_i32_s (local.get $high))) (then
    (if (i32.eqz (local.get $saturates)) (then (call $fail (i32.const 601))))
    (local.set $new (i64.extend_i32_s (local.get $high)))))
  (i64.store32 (local.get $at) (local.get $new)))
(func $signed (param $at i32) (param $negative i32) (result i64)
  (select (i64.sub (i64.const 0) (i64.load32_s (local.get $at))) (i64.load32_s (local.get $at))
    (local.get $negative)))
(func $change_bag (param $at i32) (param $amount i32) (param $count i32) (param $limit i32) (param $negative i32)
  (param $saturates i32)
  (block $done (loop $next
    (br_if $done (i32.eqz (local.get $count)))
    (call $added (local.get $at) (call $signed (local.get $amount) (local.get $negative)) (i32.const 0)
      (local.get $limit) (local.get $saturates))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (local.set $amount (i32.add (local.get $amount) (i32.const 4)))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $next))))
