// What reader and writer both have to know of the format (PKWARE APPNOTE 6.3.10, section 4).

export const LOCAL_SIGNATURE = 0x04034b50
export const DESCRIPTOR_SIGNATURE = 0x08074b50
export const CENTRAL_SIGNATURE = 0x02014b50
export const END_SIGNATURE = 0x06054b50
export const END64_SIGNATURE = 0x06064b50
export const LOCATOR64_SIGNATURE = 0x07064b50

/** Bytes of each record without its name, extra fields and comment. */
export const LOCAL_BYTES = 30
export const CENTRAL_BYTES = 46
export const END_BYTES = 22
export const END64_BYTES = 56
export const LOCATOR64_BYTES = 20

/** A 16 or 32 bit field with this value has its real value in a Zip64 record. */
export const FULL_16 = 0xffff
export const FULL_32 = 0xffffffff
export const ZIP64_EXTRA_ID = 0x0001

export const STORED = 0
export const DEFLATED = 8

export const ENCRYPTED_FLAG = 0x0001
/** Checksum and sizes stand behind the data. */
export const DESCRIPTOR_FLAG = 0x0008
export const UTF8_FLAG = 0x0800

/** The upper byte of "version made by" says whose attributes the entry carries. */
export const MADE_BY_UNIX = 3
export const MADE_BY_MAC = 19
