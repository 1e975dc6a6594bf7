import type { Answer } from '../../service.ts'

/** A row of GET /places. */
export type Place = Answer<'/places'>['places'][number]
