import type { Db } from '../database/connect.ts'

/** Has lanes looked at now, those that are open too: a person did something about them. */
export async function wakeLanes(database: Db, laneIds: readonly string[], now: Date): Promise<void> {
  if (laneIds.length === 0) return
  await database
    .with('locked', (db) =>
      db
        .selectFrom('webhook_lanes')
        .where('lane_id', 'in', laneIds)
        .orderBy('lane_id')
        .select('lane_id')
        .forUpdate(),
    )
    .updateTable('webhook_lanes')
    .from('locked')
    .whereRef('webhook_lanes.lane_id', '=', 'locked.lane_id')
    .set({ due_at: now })
    .execute()
}
