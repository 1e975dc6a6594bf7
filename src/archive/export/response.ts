import packageJson from '../../../package.json' with { type: 'json' }
import { openSnapshot } from '../../db/open.ts'
import type { Deps } from '../../deps.ts'
import { begun } from '../../zip/begun.ts'
import { archiveName, exportStream } from './export.ts'

/**
 * The whole library as a download. Its first piece is produced before the answer begins, so that an early failure
 * becomes an error status; a later one breaks the connection.
 */
export async function exportResponse({ db, config, now, analyzer }: Deps): Promise<Response> {
  const nowMs = now()
  const options = { dataDir: config.dataDir, nowMs, appVersion: config.buildVersion ?? packageJson.version, analyzer }
  const body = await begun(exportStream(openSnapshot(db), options))
  return new Response(body, {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${archiveName(nowMs)}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
