;; What a module has besides where tests are run: draws that the host dictates, and questions.

(func $below (param $at i32) (param $bound i32) (result i32)
  ;; from the list: how many draws it has, how many were taken, the draws. Another generator than the game's is asked
  (if (local.get $at) (then (return (call $below_by_chance (local.get $at) (local.get $bound)))))
  (local.set $at (i32.load offset=4 (i32.const {list})))
  (if (i32.ge_u (local.get $at) (i32.load (i32.const {list}))) (then (call $fail (i32.const {no_draw}))))
  (i32.store offset=4 (i32.const {list}) (i32.add (local.get $at) (i32.const 1)))
  (local.set $at (i32.load offset=8 (i32.add (i32.const {list}) (i32.shl (local.get $at) (i32.const 2)))))
  (if (i32.ge_u (local.get $at) (local.get $bound)) (then (call $fail (i32.const {no_draw}))))
  (local.get $at))
(func (export "list") (result i32) (i32.const {list}))
(func (export "answer") (param $number i32) (result i32) ;; of the state as it stands; less than 0: a fault
  (call $mirror)
  (call $reset)
  (block $caught (result i32)
    (return (try_table (result i32) (catch $fault $caught)
      (call_indirect (type $goal) (i32.add (local.get $number) (i32.const {first}))))))
  (i32.mul (i32.const -1)))
