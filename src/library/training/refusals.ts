import { eq } from 'drizzle-orm'
import type { Tx } from '../../db/open.ts'
import { trainingRefusals } from '../../db/schema-training.ts'

/** The value of a proposal that the runner rejected; null: never rejected. */
export function refusedValue(tx: Tx, kind: string): number | null {
  const { value } = trainingRefusals
  return tx.select({ value }).from(trainingRefusals).where(eq(trainingRefusals.kind, kind)).get()?.value ?? null
}

export function storeRefusal(tx: Tx, kind: string, value: number, nowMs: number): void {
  tx.insert(trainingRefusals)
    .values({ kind, value, madeAt: nowMs })
    .onConflictDoUpdate({ target: trainingRefusals.kind, set: { value, madeAt: nowMs } })
    .run()
}
