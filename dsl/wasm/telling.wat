;; What a module has besides that tells: the list of events, and what the host asks for.

(global $events (mut i32) (i32.const {events})) ;; where the next event begins
(global $lines (mut i32) (i32.const 0)) ;; those that have been told since the host listened
(global $left (mut i32) (i32.const {beside})) ;; steps that telling may still take
(global $telling (mut i32) (i32.const 0)) ;; is telling under way? Steps are its own then
(global $heard (mut i32) (i32.const 0)) ;; has the host ever listened? Where only a search runs it does not
(global $asked (mut i32) (i32.const 0)) ;; the option whose words are asked for

(func (export "listen") ;; begins the list anew: before each stretch of play
  (global.set $heard (i32.const 1))
  (global.set $events (i32.const {events}))
  (global.set $lines (i32.const 0))
  (global.set $telling (i32.const 0))
  (global.set $left (i32.const {beside})))
(func (export "events") (result i32) ;; where the list ends; it begins at {events}
  (global.get $events))
(func $event (param $kind i32) (param $size i32) (result i32)
  ;; room for an event; 0 where nobody listens: in searches and trials, while options are listed, in games by chance
  (if (i32.eqz (global.get $heard)) (then (return (i32.const 0))))
  (if (i32.or (i32.or (global.get $certain) (global.get $look)) (global.get $playing)) (then (return (i32.const 0))))
  (if (i32.ge_u (global.get $lines) (i32.const {most_told})) (then (return (i32.const 0))))
  (if (i32.gt_u (i32.add (global.get $events) (local.get $size)) (i32.const {events_end}))
    (then (global.set $lines (i32.const {most_told})) (return (i32.const 0))))
  (i32.store (global.get $events) (local.get $size))
  (i32.store offset=4 (global.get $events) (local.get $kind))
  (global.get $events))
(func $told (param $at i32) ;; an event is whole
  (global.set $events (i32.add (local.get $at) (i32.load (local.get $at))))
  (if (i32.eqz (i32.load offset=4 (local.get $at))) (then
    (global.set $lines (i32.add (global.get $lines) (i32.const 1))))))
(func $leave (result i32) (local $steps i32) ;; from here on steps are those of telling; -1 where they are already
  (if (global.get $telling) (then (return (i32.const -1))))
  (global.set $telling (i32.const 1))
  (local.set $steps (global.get $steps))
  (global.set $steps (i32.sub (global.get $budget) (global.get $left)))
  (local.get $steps))
(func $back (param $steps i32)
  (if (i32.lt_s (local.get $steps) (i32.const 0)) (then (return)))
  (global.set $telling (i32.const 0))
  (global.set $left (i32.sub (global.get $budget) (global.get $steps)))
  (if (i32.lt_s (global.get $left) (i32.const 0)) (then (global.set $left (i32.const 0))))
  (global.set $steps (local.get $steps)))

;; ---- who may see what --------------------------------------------------------------------------

(func $audience (param $var i32) (param $owner i32) (param $player i32) (result i32)
  {audiences}
  (i32.const 1))
(func $sees (param $var i32) (param $owner i32) (param $player i32) (result i32)
  (local $before i32) (local $begun i32) (local $found i32)
  ;; where that cannot be computed in its share of steps he does not
  (local.set $before (global.get $steps))
  (local.set $begun (i32.sub (global.get $budget) (i32.const {audience_steps})))
  (if (i32.gt_s (local.get $before) (local.get $begun)) (then (local.set $begun (local.get $before))))
  (global.set $steps (local.get $begun))
  (block $seen
    (drop (block $caught (result i32)
      (try_table (catch $fault $caught)
        (local.set $found (call $audience (local.get $var) (local.get $owner) (local.get $player))))
      (br $seen)))
    (local.set $found (i32.const 0)))
  (global.set $steps (i32.sub (i32.add (local.get $before) (global.get $steps)) (local.get $begun)))
  (local.get $found))
(func $readers (param $var i32) (param $owner i32) (result i32) (local $player i32) (local $found i32) (local $steps i32)
  (local.set $steps (call $leave))
  (loop $next
    (local.set $found (i32.or (local.get $found)
      (i32.shl (call $sees (local.get $var) (local.get $owner) (local.get $player)) (local.get $player))))
    (br_if $next (i32.lt_u (local.tee $player (i32.add (local.get $player) (i32.const 1))) (i32.const {players}))))
  (call $back (local.get $steps))
  (local.get $found))

;; ---- cards -------------------------------------------------------------------------------------

(func $pool_at (param $at i32) (result i32) {pool_of})
(func $card_seen (param $pool i32) (param $card i32) (result i32)
  (call $readers {pile_of} (local.get $card)))
(func $move_card (param $at i32) (param $order i32) (param $size i32) (param $card i32) (param $pile i32) (param $top i32)
  (local $pool i32) (local $before i32) (local $event i32)
  (local.set $pool (call $pool_at (local.get $at)))
  (if (i32.ge_s (local.get $pool) (i32.const 0)) (then
    (local.set $event (call $event (i32.const {moved}) (i32.const 24)))
    (if (local.get $event) (then (local.set $before (call $card_seen (local.get $pool) (local.get $card)))))))
  (call $move_card_untold (local.get $at) (local.get $order) (local.get $size) (local.get $card) (local.get $pile)
    (local.get $top))
  (if (local.get $event) (then
    (i32.store offset=8 (local.get $event) (local.get $pool))
    (i32.store offset=12 (local.get $event) (local.get $card))
    (i32.store offset=16 (local.get $event) (local.get $before))
    (i32.store offset=20 (local.get $event) (call $card_seen (local.get $pool) (local.get $card)))
    (call $told (local.get $event)))))
(func $shuffle_pile (param $at i32) (param $order i32) (param $size i32) (param $pile i32)
  (local $pool i32) (local $event i32) (local $card i32) (local $count i32) (local $is i32)
  (local.set $pool (call $pool_at (local.get $at)))
  (if (i32.ge_s (local.get $pool) (i32.const 0)) (then
    (local.set $event (call $event (i32.const {shuffled}) (i32.add (i32.const 12) (i32.shl (local.get $size) (i32.const 2)))))
    (if (local.get $event) (then
      (i32.store offset=8 (local.get $event) (local.get $pool))
      (block $done (loop $next
        (br_if $done (i32.ge_u (local.get $card) (local.get $size)))
        (local.set $is (i32.eq
          (i32.load (i32.add (local.get $at) (i32.shl (local.get $card) (i32.const 2)))) (local.get $pile)))
        (local.set $count (i32.add (local.get $count) (local.get $is)))
        (i32.store offset=12 (i32.add (local.get $event) (i32.shl (local.get $card) (i32.const 2))) (local.get $is))
        (local.set $card (i32.add (local.get $card) (i32.const 1)))
        (br $next)))
      (if (i32.gt_u (local.get $count) (i32.const 1)) (then (call $told (local.get $event))))))))
  (call $shuffle_pile_untold (local.get $at) (local.get $order) (local.get $size) (local.get $pile)))

;; for cards in an event that begin at an address, who sees each where it lies

(func $one_seen (param $at i32) (param $pile i32) (param $to i32)
  (if (i32.ge_s (i32.load (local.get $at)) (i32.const 0)) (then
    (i32.store (local.get $to) (call $readers (local.get $pile) (i32.load (local.get $at)))))))
(func $list_seen (param $at i32) (param $pile i32) (param $to i32) (local $k i32)
  (block $done (loop $next
    (br_if $done (i32.ge_s (local.get $k) (i32.load (local.get $at))))
    (call $one_seen (i32.add (local.get $at) (i32.shl (i32.add (local.get $k) (i32.const 1)) (i32.const 2)))
      (local.get $pile) (i32.add (local.get $to) (i32.shl (local.get $k) (i32.const 2))))
    (local.set $k (i32.add (local.get $k) (i32.const 1)))
    (br $next))))
(func $set_seen (param $at i32) (param $size i32) (param $pile i32) (param $to i32) (local $card i32)
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $card) (local.get $size)))
    (if (i32.and (i32.const 1) (i32.shr_u
          (i32.load (i32.add (local.get $at) (i32.shl (i32.shr_u (local.get $card) (i32.const 5)) (i32.const 2))))
          (i32.and (local.get $card) (i32.const 31))))
      (then (i32.store (i32.add (local.get $to) (i32.shl (local.get $card) (i32.const 2)))
        (call $readers (local.get $pile) (local.get $card)))))
    (local.set $card (i32.add (local.get $card) (i32.const 1)))
    (br $next))))

;; ---- what stands there -------------------------------------------------------------------------

(func $hash_words (param $at i32) (param $end i32) (result i32) (local $found i32)
  ;; of the words between two addresses
  (block $done (loop $next
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (local.set $found (i32.add (i32.mul (local.get $found) (i32.const 16777619)) (i32.load (local.get $at))))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br $next)))
  (local.get $found))
(func $standing (param $to i32) {standing})

;; ---- what the host asks for --------------------------------------------------------------------

(func (export "word") (param $number i32) (param $option i32) (param $steps i32) (result i32)
  ;; where the value of an argument of a label stands now, for the option at an address, in so many steps; less than 0: a fault
  (global.set $asked (local.get $option))
  (global.set $steps (i32.sub (global.get $budget) (local.get $steps)))
  (block $caught (result i32)
    (return (try_table (result i32) (catch $fault $caught)
      (call_indirect (type $goal) (i32.add (local.get $number) (i32.const {first}))))))
  (i32.mul (i32.const -1)))
(func (export "seen") (param $var i32) (param $owner i32) (param $player i32) (result i32)
  ;; may a player see a variable of a member?
  (global.set $steps (i32.sub (global.get $budget) (i32.const {beside})))
  (call $sees (local.get $var) (local.get $owner) (local.get $player)))
