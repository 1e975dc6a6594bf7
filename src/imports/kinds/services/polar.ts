import { polarFormat } from '../../../formats/polar/polar.ts'
import { runFilesKind } from './run-files.ts'

/** Polar Flow: a JSON file for each training session, beside daily activity and others. */
export const polarFlow = runFilesKind({
  ...{ origin: 'polar_flow', listed: 'Polar Flow' },
  ...{ format: polarFormat, named: /(?:^|\/)training-session-[^/]*\.json$/i },
})
