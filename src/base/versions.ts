import packaged from '../../package.json' with { type: 'json' }

/** Version of the program, unless a build names another one. */
export const APPLICATION_VERSION = packaged.version

/** Version of the API that the specification states; additions of Harrier do not change it. */
export const API_VERSION = '2.6.0'

/** Version of the archive format, in the manifest of each archive (docs/api.md 12). */
export const FORMAT_VERSION = '1.0.0'
