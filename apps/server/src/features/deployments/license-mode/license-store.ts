import type { Db, Tx } from '@vaani/service-kit/database/connect'
import { sql } from 'kysely'

export interface LicenseStore {
  /**
   * Takes a seat for a worker, or a place in the queue for one. Seats of workers without a lease are free.
   *
   * @returns whether the worker has a seat
   */
  takeSeat(workerId: string, seats: number): Promise<boolean>
  /** Newest revocation list that was kept. */
  findRevocations(): Promise<string | null>
  keepRevocations(list: string): Promise<void>
}

const SEATS_LOCK = 7_204_131

/** Takes turns with other processes that count seats, until the end of the transaction. */
export const takeLicenseTurn = (tx: Tx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${SEATS_LOCK})`.execute(tx)

export function createLicenseStore(database: Db): LicenseStore {
  return {
    takeSeat: (workerId, seats) =>
      database.transaction().execute(async (tx) => {
        await takeLicenseTurn(tx)
        await sql`
          delete from license_seats
          where not exists (select from leases where leases.worker_id = license_seats.worker_id)`.execute(tx)
        await sql`
          insert into license_seats (worker_id) values (${workerId}) on conflict do nothing`.execute(tx)
        const { rows } = await sql<{ before: string }>`
          select count(*) as before from license_seats
          where sequence < (select sequence from license_seats where worker_id = ${workerId})`.execute(tx)
        return Number(rows[0]?.before) < seats
      }),
    async findRevocations() {
      const row = await database.selectFrom('license_state').select('revocations').executeTakeFirst()
      return row?.revocations ?? null
    },
    async keepRevocations(list) {
      await database.updateTable('license_state').set({ revocations: list }).execute()
    },
  }
}
