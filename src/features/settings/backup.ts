import type { Config } from '../../base/config.ts'
import { lastBackup } from '../../base/last-backup.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import type { BackupAnswer } from './schemas.ts'

/** The last backup, also one that was made by a command. */
export function backupAnswer({ dataDir, backupDir, backupAtMin }: Config): BackupAnswer {
  const { made, failed } = lastBackup(dataDir)
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    enabled: backupDir !== null,
    at: `${two(Math.floor(backupAtMin / 60))}:${two(backupAtMin % 60)}`,
    last: made === null ? null : { at: isoTime(made.at), bytes: made.bytes, verified: made.isVerified },
    failed: failed === null ? null : { at: isoTime(failed.at), error: failed.error },
  }
}
