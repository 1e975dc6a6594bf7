import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AnalyzedFile, AnalyzedRun } from '../workers/analyze-file.ts'
import {
  makeRawFolder,
  placeBytes,
  placeLink,
  rawDataPath,
  rawFilePath,
  rawFolder,
  syncFile,
  temporaryFile,
} from './files.ts'
import { mergeRawData } from './raw-data.ts'

/** The file a run was read out of. */
export interface Original {
  readonly name: string
  readonly type: AnalyzedFile['type']
  /** SHA-256 of the unpacked bytes. */
  readonly sha256: string
  /** Place of the run in the file. */
  readonly session: number
  /** The path of a file on the file system of DATA_DIR, which gets a second name, or its bytes in memory. */
  readonly bytes: string | (() => Promise<Uint8Array>)
}

export interface OfWorkout {
  readonly id: string
  readonly original: Original | null
}

/** Files of one workout that wait beside their places. */
export interface WaitingFiles {
  /** To their places, at once and on the disk, as the last act of the transaction that names them. */
  moveIn(): void
  /** The transaction is committed. */
  keep(): void
  /** Removes what waits, and undoes `moveIn` unless `keep` was called. */
  dispose(): void
}

/** The files of a new workout, in their places and on the disk. */
export async function placeRunFiles(
  dataDir: string,
  { rawData }: AnalyzedRun,
  { id, original }: OfWorkout,
): Promise<void> {
  if (original === null && rawData === null) return
  await makeRawFolder(dataDir)
  if (original !== null) await placeOriginal(dataDir, rawFilePath(dataDir, id), original.bytes)
  if (rawData !== null) await placeBytes(dataDir, rawDataPath(dataDir, id), rawData)
  else await syncFile(rawFolder(dataDir))
}

/**
 * The original for a workout that has none, and its raw data merged into what there is.
 * @throws what writing throws; nothing waits then
 */
export async function waitingFiles(
  dataDir: string,
  { rawData }: AnalyzedRun,
  { id, original }: OfWorkout,
): Promise<WaitingFiles> {
  await makeRawFolder(dataDir)
  const dataPath = rawDataPath(dataDir, id)
  const moves: Move[] = []
  try {
    if (original !== null) {
      moves.push({ from: await waitingOriginal(dataDir, original.bytes), to: rawFilePath(dataDir, id), before: null })
    }
    if (rawData !== null) {
      const from = await temporaryFile(dataDir, await mergeRawData(dataPath, rawData))
      moves.push({ from, to: dataPath, before: await secondName(dataDir, dataPath) })
    }
  } catch (error) {
    removeWaiting(moves)
    throw error
  }
  let isUndone = false
  return {
    moveIn: () => {
      isUndone = true
      for (const { from, to } of moves) renameSync(from, to)
      syncFolder(rawFolder(dataDir))
    },
    keep: () => {
      isUndone = false
    },
    dispose: () => {
      if (isUndone) for (const move of moves) undo(move)
      removeWaiting(moves)
    },
  }
}

interface Move {
  readonly from: string
  readonly to: string
  /** A second name of what was there; null: nothing that a row names. */
  readonly before: string | null
}

async function placeOriginal(dataDir: string, path: string, bytes: Original['bytes']): Promise<void> {
  if (typeof bytes !== 'string') return await placeBytes(dataDir, path, await bytes())
  await placeLink(bytes, path)
  await syncFile(path)
}

async function waitingOriginal(dataDir: string, bytes: Original['bytes']): Promise<string> {
  if (typeof bytes !== 'string') return await temporaryFile(dataDir, await bytes())
  const path = join(dataDir, 'tmp', crypto.randomUUID())
  await placeOriginal(dataDir, path, bytes)
  return path
}

/** null: there is no such file. */
async function secondName(dataDir: string, existing: string): Promise<string | null> {
  if (!existsSync(existing)) return null
  const path = join(dataDir, 'tmp', crypto.randomUUID())
  await placeLink(existing, path)
  return path
}

function undo({ from, to, before }: Move): void {
  // it was not moved yet
  if (existsSync(from)) return
  if (before === null) rmSync(to, { force: true })
  else renameSync(before, to)
}

function removeWaiting(moves: readonly Move[]): void {
  for (const { from, before } of moves) {
    rmSync(from, { force: true })
    if (before !== null) rmSync(before, { force: true })
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
