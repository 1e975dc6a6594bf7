import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from './json-object.ts'

/** The result of the latest backups, by the service or by a command; times in Unix milliseconds. */
export interface LastBackup {
  /** How many were made from this DATA_DIR. */
  readonly count: number
  readonly made: {
    readonly stamp: string
    readonly at: number
    /** Bytes that it takes, shared ones included. */
    readonly bytes: number
    /** Whether it was read again, and every hash was right. */
    readonly isVerified: boolean
  } | null
  /** A failure since then. */
  readonly failed: { readonly at: number; readonly error: string } | null
}

export const NONE: LastBackup = { count: 0, made: null, failed: null }

/** Lock, last result and scratch files of backups. */
export function backupFolder(dataDir: string): string {
  return join(dataDir, 'backup')
}

export function lastBackup(dataDir: string): LastBackup {
  try {
    const read: unknown = JSON.parse(readFileSync(join(backupFolder(dataDir), 'last.json'), 'utf8'))
    return isObject(read) ? { ...NONE, ...read } : NONE
  } catch {
    // there is none yet, or a power cut damaged it; the next backup writes it again
    return NONE
  }
}

/** Never fails: what is not noted is made once more. */
export function noteBackup(dataDir: string, last: LastBackup): void {
  const path = join(backupFolder(dataDir), 'last.json')
  try {
    mkdirSync(backupFolder(dataDir), { recursive: true, mode: 0o700 })
    writeFileSync(`${path}.new`, JSON.stringify(last), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch {
    // such as a full disk
  }
}
