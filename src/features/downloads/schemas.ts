import { Type } from '@sinclair/typebox'
import { MOST_IDS } from '../../engine/limits.ts'
import { choice, Uuid } from '../../http/schemas.ts'
import { ListParameters } from '../workouts/list-schemas.ts'

const FORMATS = ['original', 'fit', 'gpx', 'tcx'] as const
export type DownloadFormat = (typeof FORMATS)[number]

const Format = choice(...FORMATS)

const Trim = Type.Optional(
  Type.Boolean({
    description:
      'true: without what hidden places and trimEndsM of GET /settings/privacy hide; refused where nothing is hidden',
  }),
)

export const RunFileParameters = Type.Object({
  format: Format,
  trim: Trim,
})

const Filter = Type.Omit(ListParameters, ['page', 'pageSize', 'sortBy', 'sortOrder'], {
  description: 'The parameters of GET /workouts; {} is the whole library',
})

export const FilesRequest = Type.Object(
  {
    format: Format,
    trim: Trim,
    ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: MOST_IDS })),
    filter: Type.Optional(Filter),
  },
  {
    description: 'Either ids or filter',
    examples: [
      { format: 'original', filter: {} },
      { format: 'gpx', filter: { startDate: '2025-01-01', runType: 'Long Run' } },
      { format: 'fit', ids: ['0198a000-0000-7000-8000-000000000001'] },
    ],
  },
)
