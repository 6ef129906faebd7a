;; "Activate a unit", translated by hand as a WebAssembly backend would translate it.
;;
;;   routine activate(unit):  up to 3 points: step(dir, quiet) or pass; each step calls enter
;;   routine enter(unit, quiet):  the other side fires with a neighbour (roll a die) or passes
;;
;; The state is one vector of 31 words at address 0 and nothing else:
;;   slot 0 sp, the first free slot    2-3 generator state, low word first   6  place[4]    0..11
;;        1 result                     4-5 generator increment               10 strength[4] 0..3
;;                                                                           14 strain[4]   0..2
;;   slot 18.. frames, each [locals..., routine, pc]; every slot at or above sp is 0
;; Outside the vector: 1024 the last decision's vector, 2048 option codes, 4096 constant tables.
(module
  (type $routine (func (result i32)))
  (memory (export "memory") 1)
  (table funcref (elem $activate $enter))
  (tag $fault (param i32))
  (global $site (export "site") (mut i32) (i32.const 0))
  (global $steps (mut i32) (i32.const 0)) ;; blocks run since the last decision
  (global $ceiling (export "ceiling") (mut i32) (i32.const 1000))
  (global $picker (mut i64) (i64.const 0x9E3779B97F4A7C15))
  ;; neighbour[cell][up, right, down, left] of a board 4 wide and 3 high; ff is off the board
  (data (i32.const 4096)
    "\ff\01\04\ff" "\ff\02\05\00" "\ff\03\06\01" "\ff\ff\07\02"
    "\00\05\08\ff" "\01\06\09\04" "\02\07\0a\05" "\03\ff\0b\06"
    "\04\09\ff\ff" "\05\0a\ff\08" "\06\0b\ff\09" "\07\ff\ff\0a")

  ;; ---- support, the same for every program --------------------------------------------------
  (func $check (param $value i32) (param $low i32) (param $high i32) (param $site i32) (result i32)
    (if (i32.or (i32.lt_s (local.get $value) (local.get $low)) (i32.gt_s (local.get $value) (local.get $high)))
      (then (throw $fault (local.get $site))))
    (local.get $value))
  (func $tick
    (global.set $steps (i32.add (global.get $steps) (i32.const 1)))
    (if (i32.gt_u (global.get $steps) (global.get $ceiling)) (then (throw $fault (i32.const 0)))))
  (func $frame (param $size i32) (result i32) ;; address of the top frame
    (i32.shl (i32.sub (i32.load (i32.const 0)) (local.get $size)) (i32.const 2)))
  (func $push (param $routine i32) (param $size i32) (result i32)
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (local.get $size)))
    (i32.store (i32.sub (i32.shl (i32.load (i32.const 0)) (i32.const 2)) (i32.const 8)) (local.get $routine))
    (call $frame (local.get $size)))
  (func $pop (param $size i32) (param $result i32) ;; leaves no trace of the frame
    (memory.fill (call $frame (local.get $size)) (i32.const 0) (i32.shl (local.get $size) (i32.const 2)))
    (i32.store (i32.const 0) (i32.sub (i32.load (i32.const 0)) (local.get $size)))
    (i32.store (i32.const 4) (local.get $result)))
  (func $take (result i32) ;; reads the result once, so that no stale one stays in the state
    (i32.load (i32.const 4)) (i32.store (i32.const 4) (i32.const 0)))
  (func $random (export "random") (result i32) (local $old i64) ;; PCG32, XSH-RR
    (local.set $old (i64.load (i32.const 8)))
    (i64.store (i32.const 8) (i64.add (i64.mul (local.get $old)
      (i64.const 6364136223846793005)) (i64.load (i32.const 16))))
    (i32.rotr (i32.wrap_i64 (i64.shr_u
        (i64.xor (i64.shr_u (local.get $old) (i64.const 18)) (local.get $old)) (i64.const 27)))
      (i32.wrap_i64 (i64.shr_u (local.get $old) (i64.const 59)))))
  (func $draw (param $bound i32) (result i32) (local $word i32) ;; 0..bound-1, without bias
    (loop $again
      (local.set $word (call $random))
      (br_if $again (i32.lt_u (local.get $word)
        (i32.rem_u (i32.sub (i32.const 0) (local.get $bound)) (local.get $bound)))))
    (i32.rem_u (local.get $word) (local.get $bound)))

  ;; ---- functions: they never reach a decision, so they are plain wasm -----------------------
  (func $place (param $unit i32) (result i32)
    (i32.load offset=24 (i32.shl (local.get $unit) (i32.const 2))))
  (func $strength (param $unit i32) (result i32)
    (i32.load offset=40 (i32.shl (local.get $unit) (i32.const 2))))
  (func $side (param $unit i32) (result i32) (i32.shr_u (local.get $unit) (i32.const 1)))
  (func $neighbour (param $cell i32) (param $dir i32) (result i32)
    (i32.load8_s offset=4096 (i32.add (i32.shl (local.get $cell) (i32.const 2)) (local.get $dir))))
  (func $is_free (param $cell i32) (result i32) (local $unit i32)
    (loop $each
      (if (i32.and (i32.eq (call $place (local.get $unit)) (local.get $cell))
                   (i32.gt_s (call $strength (local.get $unit)) (i32.const 0)))
        (then (return (i32.const 0))))
      (local.set $unit (i32.add (local.get $unit) (i32.const 1)))
      (br_if $each (i32.lt_s (local.get $unit) (i32.const 4))))
    (i32.const 1))
  (func $adjacent (param $a i32) (param $b i32) (result i32) (local $dir i32)
    (loop $each
      (if (i32.eq (call $neighbour (local.get $a) (local.get $dir)) (local.get $b))
        (then (return (i32.const 1))))
      (local.set $dir (i32.add (local.get $dir) (i32.const 1)))
      (br_if $each (i32.lt_s (local.get $dir) (i32.const 4))))
    (i32.const 0))
  (func $may_step (param $fp i32) (param $dir i32) (param $quiet i32) (result i32) (local $to i32)
    (local.set $to (call $neighbour (call $place (i32.load (local.get $fp))) (local.get $dir)))
    (if (result i32) (i32.lt_s (local.get $to) (i32.const 0)) (then (i32.const 0))
      (else (i32.and (call $is_free (local.get $to))
        (i32.lt_s (local.get $quiet) (i32.load offset=4 (local.get $fp)))))))
  (func $may_fire (param $fp i32) (param $by i32) (result i32) (local $unit i32)
    (local.set $unit (i32.load (local.get $fp)))
    (i32.and (i32.and (i32.ne (call $side (local.get $by)) (call $side (local.get $unit)))
                      (i32.gt_s (call $strength (local.get $by)) (i32.const 0)))
      (call $adjacent (call $place (local.get $by)) (call $place (local.get $unit)))))
  (func $any_may_fire (param $fp i32) (result i32) (local $by i32)
    (loop $each
      (if (call $may_fire (local.get $fp) (local.get $by)) (then (return (i32.const 1))))
      (local.set $by (i32.add (local.get $by) (i32.const 1)))
      (br_if $each (i32.lt_s (local.get $by) (i32.const 4))))
    (i32.const 0))

  ;; ---- routines: they return 0 when the stack has changed, 1 when they ask ------------------
  ;; activate, 7 words: unit, left, dir, quiet, taken, routine, pc
  (func $activate (type $routine) (local $fp i32) (local $pc i32)
    (local.set $fp (call $frame (i32.const 7)))
    (local.set $pc (i32.load offset=24 (local.get $fp)))
    (loop $next
      (call $tick)
      (block $5 (block $4 (block $3 (block $2 (block $1 (block $0
        (br_table $0 $1 $2 $3 $4 $5 (local.get $pc)))
      (i32.store offset=4 (local.get $fp) (i32.const 3)) ;; 0: left = 3; jump 1
      (local.set $pc (i32.const 1)) (br $next))
      (local.set $pc (select (i32.const 2) (i32.const 5) ;; 1: branch left > 0, 2, 5
        (i32.gt_s (i32.load offset=4 (local.get $fp)) (i32.const 0)))) (br $next))
      (i32.store offset=24 (local.get $fp) (i32.const 2)) ;; 2: ask step -> 3, pass -> 5
      (return (i32.const 1)))
      (i32.store offset=4 (local.get $fp) (call $check ;; 3: pay, move, count; call enter then 4
        (i32.sub (i32.load offset=4 (local.get $fp))
                 (i32.add (i32.const 1) (i32.load offset=12 (local.get $fp))))
        (i32.const 0) (i32.const 3) (i32.const 1)))
      (i32.store offset=24 (i32.shl (i32.load (local.get $fp)) (i32.const 2)) (call $check
        (call $neighbour (call $place (i32.load (local.get $fp))) (i32.load offset=8 (local.get $fp)))
        (i32.const 0) (i32.const 11) (i32.const 2)))
      (i32.store offset=16 (local.get $fp) (call $check
        (i32.add (i32.load offset=16 (local.get $fp)) (i32.const 1))
        (i32.const 0) (i32.const 3) (i32.const 3)))
      (i32.store offset=24 (local.get $fp) (i32.const 4))
      (local.set $pc (call $push (i32.const 1) (i32.const 6))) ;; the new frame takes unit and quiet
      (i32.store (local.get $pc) (i32.load (local.get $fp)))
      (i32.store offset=4 (local.get $pc) (i32.load offset=12 (local.get $fp)))
      (return (i32.const 0)))
      (local.set $pc (select (i32.const 5) (i32.const 1) (call $take))) ;; 4: branch result, 5, 1
      (br $next))
      (call $pop (i32.const 7) (i32.load offset=16 (local.get $fp))) ;; 5: return taken
      (return (i32.const 0)))
    (unreachable))

  ;; enter, 6 words: unit, quiet, by, hit, routine, pc
  (func $enter (type $routine) (local $fp i32) (local $pc i32) (local $at i32)
    (local.set $fp (call $frame (i32.const 6)))
    (local.set $pc (i32.load offset=20 (local.get $fp)))
    (loop $next
      (call $tick)
      (block $3 (block $2 (block $1 (block $0
        (br_table $0 $1 $2 $3 (local.get $pc)))
      (local.set $pc (select (i32.const 1) (i32.const 3) ;; 0: branch any may fire, 1, 3
        (call $any_may_fire (local.get $fp)))) (br $next))
      (i32.store offset=20 (local.get $fp) (i32.const 1)) ;; 1: ask fire -> 2, pass -> 3
      (return (i32.const 1)))
      (i32.store offset=12 (local.get $fp) ;; 2: hit = 1 + draw 6 >= 4 + 2 quiet
        (i32.ge_s (i32.add (i32.const 1) (call $draw (i32.const 6)))
          (i32.add (i32.const 4) (i32.shl (i32.load offset=4 (local.get $fp)) (i32.const 1)))))
      (local.set $at (i32.shl (i32.load (local.get $fp)) (i32.const 2)))
      (i32.store offset=40 (local.get $at) (call $check ;; strength[unit] -= hit
        (i32.sub (i32.load offset=40 (local.get $at)) (i32.load offset=12 (local.get $fp)))
        (i32.const 0) (i32.const 3) (i32.const 4)))
      (local.set $at (i32.shl (i32.load offset=8 (local.get $fp)) (i32.const 2)))
      (i32.store offset=56 (local.get $at) (call $check ;; strain[by] += 1, which no guard bounds
        (i32.add (i32.load offset=56 (local.get $at)) (i32.const 1))
        (i32.const 0) (i32.const 2) (i32.const 5)))
      (local.set $pc (i32.const 3)) (br $next))
      (call $pop (i32.const 6) (i32.load offset=12 (local.get $fp))) ;; 3: return hit
      (return (i32.const 0)))
    (unreachable))

  ;; ---- the machine: 0 ended, 1 asks, 2 fault (state as before), 3 refused (state as before) --
  (func $trampoline (result i32) (local $sp i32)
    (loop $next
      (local.set $sp (i32.load (i32.const 0)))
      (if (i32.eq (local.get $sp) (i32.const 18)) (then (return (i32.const 0))))
      (br_if $next (i32.eqz (call_indirect (type $routine)
        (i32.load (i32.sub (i32.shl (local.get $sp) (i32.const 2)) (i32.const 8)))))))
    (i32.const 1))
  (func $run (result i32)
    (global.set $steps (i32.const 0))
    (block $caught (result i32)
      (return (try_table (result i32) (catch $fault $caught) (call $trampoline))))
    (global.set $site)
    (memory.copy (i32.const 0) (i32.const 1024) (i32.const 124))
    (i32.const 2))
  (func $start (export "start") (param $unit i32) (result i32)
    (memory.copy (i32.const 1024) (i32.const 0) (i32.const 124))
    (drop (call $take))
    (i32.store (call $push (i32.const 0) (i32.const 7)) (local.get $unit))
    (call $run))
  (func $where (result i32) ;; the routine on top, which here names the pending ask
    (i32.load (i32.sub (i32.shl (i32.load (i32.const 0)) (i32.const 2)) (i32.const 8))))
  (func (export "player") (result i32)
    (if (result i32) (call $where)
      (then (i32.sub (i32.const 1) (call $side (i32.load (call $frame (i32.const 6))))))
      (else (call $side (i32.load (call $frame (i32.const 7)))))))
  ;; An option is one number: its offer's base + its variables in mixed radix; pass comes last.
  ;;   activate: step(dir, quiet) = 2 dir + quiet, pass = 8      enter: fire(by) = by, pass = 4
  (func $legal (param $code i32) (result i32)
    (if (result i32) (call $where)
      (then (if (result i32) (i32.ge_u (local.get $code) (i32.const 4))
        (then (i32.eq (local.get $code) (i32.const 4)))
        (else (call $may_fire (call $frame (i32.const 6)) (local.get $code)))))
      (else (if (result i32) (i32.ge_u (local.get $code) (i32.const 8))
        (then (i32.eq (local.get $code) (i32.const 8)))
        (else (call $may_step (call $frame (i32.const 7))
          (i32.shr_u (local.get $code) (i32.const 1)) (i32.and (local.get $code) (i32.const 1))))))))
  (func $options (export "options") (result i32) (local $code i32) (local $count i32) (local $last i32)
    (local.set $last (select (i32.const 4) (i32.const 8) (call $where)))
    (loop $each
      (if (call $legal (local.get $code)) (then
        (i32.store offset=2048 (i32.shl (local.get $count) (i32.const 2)) (local.get $code))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))))
      (local.set $code (i32.add (local.get $code) (i32.const 1)))
      (br_if $each (i32.le_s (local.get $code) (local.get $last))))
    (local.get $count))
  (func $choose (export "choose") (param $code i32) (result i32) (local $fp i32)
    (if (i32.eq (i32.load (i32.const 0)) (i32.const 18)) (then (return (i32.const 3))))
    (if (i32.eqz (call $legal (local.get $code))) (then (return (i32.const 3))))
    (memory.copy (i32.const 1024) (i32.const 0) (i32.const 124))
    (if (call $where)
      (then (local.set $fp (call $frame (i32.const 6)))
        (i32.store offset=20 (local.get $fp) (i32.const 3))
        (if (i32.lt_s (local.get $code) (i32.const 4)) (then
          (i32.store offset=20 (local.get $fp) (i32.const 2))
          (i32.store offset=8 (local.get $fp) (local.get $code)))))
      (else (local.set $fp (call $frame (i32.const 7)))
        (i32.store offset=24 (local.get $fp) (i32.const 5))
        (if (i32.lt_s (local.get $code) (i32.const 8)) (then
          (i32.store offset=24 (local.get $fp) (i32.const 3))
          (i32.store offset=8 (local.get $fp) (i32.shr_u (local.get $code) (i32.const 1)))
          (i32.store offset=12 (local.get $fp) (i32.and (local.get $code) (i32.const 1)))))))
    (call $run))
  (func (export "nothing"))
  ;; Plays the action `games` times with random options, each from the vector at 1280 but with the
  ;; generator running on; returns the decisions made, or -1 - site after a fault.
  (func (export "playouts") (param $games i32) (result i32)
    (local $status i32) (local $made i32) (local $generator i64)
    (loop $game
      (local.set $generator (i64.load (i32.const 8)))
      (memory.copy (i32.const 0) (i32.const 1280) (i32.const 124))
      (i64.store (i32.const 8) (local.get $generator))
      (local.set $status (call $start (i32.and (local.get $games) (i32.const 3))))
      (loop $choice
        (if (i32.eq (local.get $status) (i32.const 1)) (then
          (global.set $picker (i64.add (i64.mul (global.get $picker)
            (i64.const 6364136223846793005)) (i64.const 1442695040888963407)))
          (local.set $status (call $choose (i32.load offset=2048 (i32.shl (i32.wrap_i64 (i64.shr_u
            (i64.mul (i64.shr_u (global.get $picker) (i64.const 32))
                     (i64.extend_i32_u (call $options))) (i64.const 32))) (i32.const 2)))))
          (local.set $made (i32.add (local.get $made) (i32.const 1)))
          (br $choice))))
      (if (i32.eq (local.get $status) (i32.const 2))
        (then (return (i32.sub (i32.const -1) (global.get $site)))))
      (local.set $games (i32.sub (local.get $games) (i32.const 1)))
      (br_if $game (local.get $games)))
    (local.get $made)))
