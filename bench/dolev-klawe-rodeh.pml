/*
 * Dolev-Klawe-Rodeh on a one-way ring of N nodes with FIFO links, for `npm run bench:check`: rule by rule what
 * src/algorithms/ring/dolev-klawe-rodeh.ts does when all initiate, in the same steps. A start is one step; a delivery
 * with all that it brings about is one step; nothing is delivered to a node before its own start.
 *
 *   spin -DN=12 -a dolev-klawe-rodeh.pml
 *   gcc -O2 -DSAFETY -DNOREDUCE -DCOLLAPSE -o pan pan.c && ./pan
 *
 * What Spin adds to the counts: one transition. It reports transitions as states stored plus states matched, and the
 * initial state is stored without a transition that leads to it. The nodes are here from the beginning (`active`). If
 * a process `init` ran them in one atomic sequence, the state before it and the step out of it would come on top:
 * then Spin has one state and two transitions more.
 *
 * Links hold three messages, which is enough: a send to a full link within d_step would be an error, not a wait.
 */
#ifndef N
#define N 12
#endif

/* The ids by which checkers are compared. */
#define ID ((N + 2 - _pid) % N + 1)
#define IN link[_pid]
#define OUT link[(_pid + 1) % N]

mtype = { one, two, winner };

chan link[N] = [3] of { mtype, byte };

/* How many lead: a function of the rest of the state, and so no state more. */
byte leaders;

/* What is being delivered: used within one step only, and so no part of the state. */
hidden mtype kind;
hidden byte x;

active [N] proctype node() {
  bool live = true, knows = false, done = false, leader = false;
  byte maximum = ID, neighbour = 0;

  OUT!one(ID);                                                               /* R1 */
end:
  do
  :: d_step {
       IN?kind,x;
       if
       :: kind == winner ->
          done = true;                                                       /* R6 */
          if
          :: x == ID -> leader = true; leaders++; assert(leaders == 1)
          :: else
          fi;
          if
          :: knows
          :: else -> OUT!winner(x)
          fi
       :: kind != winner && !live -> OUT!kind(x)                             /* R5 */
       :: kind == one && live ->
          if
          :: x != maximum -> neighbour = x; OUT!two(x)                       /* R2 */
          :: else -> knows = true; OUT!winner(x)                             /* R3 */
          fi
       :: kind == two && live ->
          if
          :: neighbour > x && neighbour > maximum ->                         /* R4 */
             maximum = neighbour; OUT!one(neighbour)
          :: else -> live = false
          fi
       fi
     }
  od
}
