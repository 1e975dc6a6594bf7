import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf, unlessDiskFull } from '../../db/disk-full.ts'
import { DAY_MS } from '../../engine/units.ts'
import type { ExternalId } from '../../formats/format.ts'
import type { ImportOutcome } from '../../library/add-run.ts'
import type { DepsBy } from '../../library/deps.ts'
import { firstDeleted } from '../../library/forgotten.ts'
import { type OpenReceipt, openReceipt } from '../../library/receipts/record.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { NOTHING_TOLD } from '../../library/told.ts'
import { importFile, importTotals } from '../files/import.ts'

import { keyOf, type SyncAccount, storedAccount, updateAccount } from './account.ts'
import { type IntervalsClient, IntervalsError, intervalsClient, type Limits, type ListedRun } from './client.ts'

/** Runs may be uploaded late: a round looks back this far. */
const LOOK_BACK_MS = 14 * DAY_MS
/** All years are asked for in steps of this length, until this many in a row have nothing. */
const [STEP_MS, EMPTY_STEPS] = [90 * DAY_MS, 8]

const NOTHING = { created: 0, updated: 0, skipped: 0, errors: 0, stravaOnly: 0 }

/** Of a defect; `log` has it. */
const UNEXPECTED = 'An unexpected error, which is in the log'
const RECONNECT = 'The secret of this service has changed: connect again'

export type Round = NonNullable<Awaited<ReturnType<typeof runRound>>>

/**
 * Imports the runs that are new at intervals.icu; an error ends it, and what was imported before stays. Nothing is ever
 * written there.
 * @returns null: not connected
 */
export async function runRound(
  deps: DepsBy,
  { told, ...how }: Limits & Pick<Taking, 'told'> & { readonly signal?: AbortSignal },
) {
  const { db, config, now, log } = deps
  const account = storedAccount(db)
  if (account === null) return null
  const counts = { ...NOTHING }
  const apiKey = keyOf(account, deps)
  const receipt = openReceipt(deps, { kind: 'import', origin: 'intervals_icu', title: 'intervals.icu' })
  let failure: IntervalsError | null = null
  let cursor = account.cursor
  try {
    if (apiKey === null) throw new IntervalsError('refused', RECONNECT)
    const client = intervalsClient({ baseUrl: config.intervalsBaseUrl, apiKey, ...how })
    for await (const runs of listed(client, account, now())) {
      // oldest first, so that an interrupted round goes on where it ended
      for (const run of runs.toReversed()) {
        await takeRun(deps, client, run, { counts, receipt, told })
        if (cursor === null || run.day > cursor) cursor = run.day
      }
    }
  } catch (error) {
    failure =
      error instanceof IntervalsError ? error : new IntervalsError('later', reasonOf(error, UNEXPECTED, deps.damage))
    if (failure !== error) log.error('A round of intervals.icu ended early', error)
  }
  const isAny = counts.created + counts.updated + counts.errors > 0
  if (isAny) receipt?.finish()
  else receipt?.drop()
  const left = isAny ? (receipt?.id ?? null) : null
  const state = failure === null ? 'ok' : failure.failure === 'refused' ? 'refused' : 'waiting'
  unlessDiskFull(() =>
    updateAccount(db, account, {
      ...{ state, message: failure?.message ?? null, lastRunAt: now(), stravaOnly: counts.stravaOnly },
      ...(failure === null ? { cursor } : {}),
      ...(left === null ? {} : { lastReceiptId: left }),
    }),
  )
  deps.events.emit({ event: 'settings.updated', data: {} })
  /** `retryAfterMs`: when the service asks to wait. */
  const end = { message: failure?.message ?? null, retryAfterMs: failure?.retryAfterMs ?? null }
  return { ...counts, receiptId: left, ...end }
}

async function* listed(client: IntervalsClient, account: SyncAccount, nowMs: number): AsyncGenerator<ListedRun[]> {
  const tomorrow = nowMs + DAY_MS
  const first = account.cursor === null ? account.since : dayOf(Date.parse(account.cursor) - LOOK_BACK_MS)
  if (first !== null) {
    yield await client.runs(first, dayOf(tomorrow))
    return
  }
  for (let toMs = tomorrow, empty = 0; empty < EMPTY_STEPS; toMs -= STEP_MS) {
    const runs = await client.runs(dayOf(toMs - STEP_MS + DAY_MS), dayOf(toMs))
    empty = runs.length === 0 ? empty + 1 : 0
    yield runs
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

interface Taking {
  readonly counts: typeof NOTHING
  readonly receipt: OpenReceipt | null
  /** Ids of runs whose error was told by an earlier round. */
  readonly told: Set<string>
}

/** @throws IntervalsError when the round is to end */
async function takeRun(
  deps: DepsBy,
  client: IntervalsClient,
  run: ListedRun,
  { counts, receipt, told }: Taking,
): Promise<void> {
  const { db } = deps
  if (run.isStravaOnly) {
    counts.stravaOnly += 1
    return
  }
  const external = { origin: 'intervals_icu', id: run.id } as const
  if (isKnown(deps, run.id) || firstDeleted(db, { files: [], externals: [external] }) !== null) {
    counts.skipped += 1
    return
  }
  const filename = run.name ?? run.id
  const fail = (reason: string) => {
    // asked for again in every round, since its file may come later, and told once
    if (told.has(run.id)) return
    told.add(run.id)
    counts.errors += 1
    receipt?.note({ outcome: 'error', filename, reason })
  }
  try {
    for (const outcome of await imported(deps, client, { run, external, filename, receipt })) {
      if (!('error' in outcome)) counts[outcome.action] += 1
      else if (outcome.problem !== undefined) fail(outcome.error)
      // disk or database refused it
      else throw new IntervalsError('later', outcome.error)
    }
  } catch (error) {
    if (!(error instanceof IntervalsError) || error.failure === 'later' || error.failure === 'refused') throw error
    if (error.failure === 'forbidden') counts.stravaOnly += 1
    else fail(error.message)
  }
}

interface Importing {
  readonly run: ListedRun
  readonly external: ExternalId
  readonly filename: string
  readonly receipt: OpenReceipt | null
}

/** The runs of its file; where there is none, of what the list says. @throws IntervalsError */
async function imported(
  deps: DepsBy,
  client: IntervalsClient,
  { run, external, filename, receipt }: Importing,
): Promise<readonly ImportOutcome[]> {
  const { db, config } = deps
  const { name, description: notes, rpe, totals } = run
  const noted = receipt && { receipt, filename }
  const how = { origin: 'intervals_icu', unitM: splitUnitM(unitPreference(db)), noted } as const
  const path = join(config.dataDir, 'tmp', crypto.randomUUID())
  try {
    await client.file(run.id, path)
    const file = Bun.file(path)
    const told = { ...NOTHING_TOLD, external, name, isAutoName: true, rpe }
    const uploaded = { filename, path, size: file.size, bytes: () => file.bytes() }
    return (await importFile(deps, uploaded, { ...how, notes, told })).outcomes
  } catch (error) {
    if (!(error instanceof IntervalsError) || error.failure !== 'gone' || totals === null) throw error
    return [await importTotals(deps, { ...totals, name, notes, rpe, external }, how)]
  } finally {
    await rm(path, { force: true })
  }
}

function isKnown({ db }: DepsBy, id: string): boolean {
  const known = db.$client.query(
    `SELECT 1 FROM recording JOIN run_recording ON run_recording.recording_id = recording.id AND live = 1
     WHERE origin = 'intervals_icu' AND external_id = ?`,
  )
  return known.get(id) !== null
}
