import type { Database } from 'bun:sqlite'
import { encodePreview } from '../../engine/route/preview-code.ts'

/** Step of migration 0014: packs previews that are stored as JSON text. */
export function packPreviews(client: Database): void {
  const texts = client.query<{ id: string; preview: string }, []>(
    "SELECT id, route_preview AS preview FROM workout WHERE typeof(route_preview) = 'text'",
  )
  const update = client.query('UPDATE workout SET route_preview = ? WHERE id = ?')
  for (const { id, preview } of texts.all()) {
    const packed = encodePreview(JSON.parse(preview))
    if (packed !== null) update.run(packed, id)
  }
}
