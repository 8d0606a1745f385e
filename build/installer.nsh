; Added to the Windows installer: "Open with" and doctray: links. electron-builder's own file associations would make DocTray the
; default program.

!define DOCTRAY_DOCUMENT "DocTray.Document"

!macro eachDocumentKind ACTION
  !insertmacro ${ACTION} docx
  !insertmacro ${ACTION} xlsx
  !insertmacro ${ACTION} pptx
  !insertmacro ${ACTION} odt
  !insertmacro ${ACTION} ods
  !insertmacro ${ACTION} odp
  !insertmacro ${ACTION} doc
  !insertmacro ${ACTION} xls
  !insertmacro ${ACTION} ppt
  !insertmacro ${ACTION} rtf
  !insertmacro ${ACTION} csv
  !insertmacro ${ACTION} txt
!macroend

!macro offerOpenWith EXTENSION
  WriteRegNone SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "${DOCTRAY_DOCUMENT}"
!macroend

!macro withdrawOpenWith EXTENSION
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.${EXTENSION}\OpenWithProgids" "${DOCTRAY_DOCUMENT}"
!macroend

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}" "" "Document"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\Application" "ApplicationName" "${PRODUCT_NAME}"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}\shell\open\command" "" '"$appExe" -- "%1"'
  !insertmacro eachDocumentKind offerOpenWith

  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray" "" "URL:${PRODUCT_NAME} link"
  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\doctray\shell\open\command" "" '"$appExe" -- "%1"'
!macroend

!macro customUnInstall
  ; Start at login, which the app itself sets. An update keeps it.
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "DocTray"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "DocTray"
  ${endIf}
  !insertmacro eachDocumentKind withdrawOpenWith
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\doctray"
!macroend
