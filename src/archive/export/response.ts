import packageJson from '../../../package.json' with { type: 'json' }
import { openSnapshot } from '../../db/open.ts'
import type { Heavy } from '../../http/heavy.ts'
import type { Deps } from '../../library/deps.ts'
import type { ZipItem } from '../../zip/writer.ts'
import { exportItems } from './export.ts'

interface Needs extends Pick<Deps, 'db' | 'config' | 'now' | 'worker' | 'log' | 'damage'> {
  readonly heavy: Heavy
}

/** The whole library as a download, of the moment when its turn came. */
export async function exportResponse(
  { db, config, now, worker, log, damage, heavy }: Needs,
  request: Request,
): Promise<Response> {
  const nowMs = now()
  const appVersion = config.buildVersion ?? packageJson.version
  const options = { dataDir: config.dataDir, nowMs, appVersion, worker, isDamaged: damage.isFound }
  async function* items(): AsyncGenerator<ZipItem, void> {
    yield* exportItems(openSnapshot(db), options)
    log.info('Exported the library')
  }
  return await heavy.zip(request, { name: 'harrier-export', nowMs, items: items() })
}
