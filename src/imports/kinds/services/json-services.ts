import { goldenCheetahFormat } from '../../../formats/goldencheetah/goldencheetah.ts'
import { healthFormat } from '../../../formats/health/health.ts'
import { nikeFormat } from '../../../formats/nike/nike.ts'
import { runFilesKind } from './run-files.ts'

// Services whose exports are JSON files of any name, one a run, or one with many.

export const goldenCheetah = runFilesKind({
  ...{ origin: 'goldencheetah', listed: 'GoldenCheetah', format: goldenCheetahFormat },
})
export const nike = runFilesKind({ origin: 'nike', listed: 'Nike Run Club', format: nikeFormat })
export const healthAutoExport = runFilesKind({
  ...{ origin: 'health_auto_export', listed: 'Health Auto Export', format: healthFormat },
})
