import type { Answer } from '../../service.ts'

/** A place where fewer runs start, and that has no name, is not shown. */
export const LEAST_RUNS = 3

/** A row of GET /places. */
export type Place = Answer<'/places'>['places'][number]
