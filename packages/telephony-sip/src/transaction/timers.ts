/** Estimate of a round trip (RFC 3261, section 17.1.1.1 and table 4). */
export const T1_MS = 500
/** Longest interval between repetitions of a request other than INVITE, and of a response to an INVITE. */
export const T2_MS = 4000
/** How long a message can stay in the network. */
export const T4_MS = 5000

/** Timers that end a transaction: B, F, H, L and M are all 64 × T1. */
export const TIMEOUT_MS = 64 * T1_MS

/** Timer D: how long a client absorbs repetitions of a failure of its INVITE, over UDP. At least 32 s. */
export const TIMER_D_MS = 32_000
/** Timer I: how long a server absorbs repetitions of an ACK, over UDP. */
export const TIMER_I_MS = T4_MS
/** Timer J: how long a server absorbs repetitions of a request other than INVITE, over UDP. */
export const TIMER_J_MS = 64 * T1_MS
/** Timer K: how long a client absorbs repetitions of a response to a request other than INVITE, over UDP. */
export const TIMER_K_MS = T4_MS

/** A server sends 100 to an INVITE by itself if its user has not responded by then (section 17.2.1). */
export const TRYING_AFTER_MS = 200
