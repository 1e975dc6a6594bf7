declare module '*.bin' {
  /** Path of the file. */
  const path: string
  export default path
}
