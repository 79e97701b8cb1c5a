/** Types for the part of @embedpdf/pdfium used here; tsconfig.json has the reason. Pointers are numbers, and 0 is none. */
export interface Pdfium {
  readonly pdfium: {
    /** Replaced when the memory grows. */
    readonly HEAPU8: Uint8Array
    readonly wasmExports: { malloc(size: number): number; free(pointer: number): void }
    getValue(pointer: number, type: 'double' | 'float' | 'i32'): number
    UTF8ToString(pointer: number): string
    UTF16ToString(pointer: number): string
  }
  PDFiumExt_Init(): void
  FPDF_LoadMemDocument(data: number, size: number, password: string): number
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDF_GetPageWidthF(page: number): number
  FPDF_GetPageHeightF(page: number): number
  FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    width: number,
    height: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): boolean
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    startX: number,
    startY: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void
  FPDFBitmap_CreateEx(width: number, height: number, format: number, first: number, stride: number): number
  FPDFBitmap_FillRect(
    bitmap: number,
    left: number,
    top: number,
    width: number,
    height: number,
    colour: number,
  ): boolean
  FPDFBitmap_GetBuffer(bitmap: number): number
  FPDFBitmap_GetStride(bitmap: number): number
  FPDFBitmap_Destroy(bitmap: number): void
  FPDFPage_CountObjects(page: number): number
  FPDFPage_GetObject(page: number, index: number): number
  FPDFPageObj_GetType(object: number): number
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): boolean
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(text: number): void
  FPDFText_CountChars(text: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_HasUnicodeMapError(text: number, index: number): number
  FPDFText_GetCharBox(
    text: number,
    index: number,
    left: number,
    right: number,
    bottom: number,
    top: number,
  ): boolean
  FPDFText_GetFontSize(text: number, index: number): number
  FPDFText_GetMatrix(text: number, index: number, matrix: number): boolean
  FPDFText_GetTextObject(text: number, index: number): number
  FPDFTextObj_GetFont(object: number): number
  FPDFTextObj_GetTextRenderMode(object: number): number
  FPDFFont_GetBaseFontName(font: number, buffer: number, bytes: number): number
  FPDFFont_GetWeight(font: number): number
  FPDFPageObj_GetMarkedContentID(object: number): number
  FPDF_StructTree_GetForPage(page: number): number
  FPDF_StructTree_Close(tree: number): void
  FPDF_StructTree_CountChildren(tree: number): number
  FPDF_StructTree_GetChildAtIndex(tree: number, index: number): number
  FPDF_StructElement_GetType(element: number, buffer: number, bytes: number): number
  FPDF_StructElement_CountChildren(element: number): number
  FPDF_StructElement_GetChildAtIndex(element: number, index: number): number
  FPDF_StructElement_GetChildMarkedContentID(element: number, index: number): number
  FPDF_GetMetaText(document: number, tag: string, buffer: number, bytes: number): number
  FPDFBookmark_GetFirstChild(document: number, bookmark: number): number
  FPDFBookmark_GetNextSibling(document: number, bookmark: number): number
  FPDFBookmark_GetTitle(bookmark: number, buffer: number, bytes: number): number
  FPDFBookmark_GetDest(document: number, bookmark: number): number
  FPDFDest_GetDestPageIndex(document: number, destination: number): number
}

export declare function init(options: { wasmBinary: ArrayBuffer }): Promise<Pdfium>
