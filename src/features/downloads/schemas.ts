import { Type } from '@sinclair/typebox'
import { MOST_IDS } from '../../engine/limits.ts'
import { choice, flag, meaning, uuid } from '../../http/schemas.ts'
import { ListParameters } from '../workouts/list-schemas.ts'

const FORMATS = ['original', 'fit', 'gpx', 'tcx'] as const
export type DownloadFormat = (typeof FORMATS)[number]

const Format = meaning(
  'original: the uploaded bytes, without repairs; gpx: only of runs with positions; fit, tcx: any run, repairs included',
  { ...choice(...FORMATS), title: 'DownloadFormat' },
)

const Trim = Type.Optional(
  flag(
    'true: without what hidden places and trimEndsM of GET /settings/privacy hide; 400 for an original, and where nothing is hidden',
  ),
)

export const RunFileParameters = Type.Object({
  format: Format,
  trim: Trim,
})

const Filter = Type.Omit(ListParameters, ['page', 'pageSize', 'sortBy', 'sortOrder'], {
  title: 'RunListFilter',
  description: 'The parameters of GET /workouts; {} is the whole library, oldest first',
})

export const FilesRequest = Type.Object(
  {
    format: Format,
    trim: Trim,
    ids: Type.Optional(
      Type.Array(uuid('Of a run'), {
        minItems: 1,
        maxItems: MOST_IDS,
        description: 'Files in this order; unknown ones are noted in runs.csv, 404 when all are',
      }),
    ),
    filter: Type.Optional(Filter),
  },
  {
    title: 'RunFilesRequest',
    description: 'Either ids or filter',
    examples: [
      { format: 'original', filter: {} },
      { format: 'gpx', filter: { startDate: '2025-01-01', runType: 'Long Run' } },
      { format: 'fit', ids: ['0198a000-0000-7000-8000-000000000001'] },
    ],
  },
)
