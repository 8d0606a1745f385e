; Added to the Windows installer: "Open with", doctray: links and the name "doctray". electron-builder's own file associations would make DocTray the
; default program.

!define DOCTRAY_DOCUMENT "DocTray.Document"
!define DOCTRAY_APP_PATH "Software\Microsoft\Windows\CurrentVersion\App Paths\doctray.exe"

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

  ; So that "doctray" works in Start, in Run and with "start". The PATH stays as it is: an installer that edits it can damage it.
  WriteRegStr SHELL_CONTEXT "${DOCTRAY_APP_PATH}" "" "$appExe"
!macroend

; Before the files are removed, and after a running DocTray was closed. A silent uninstall keeps the data, an update everything.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    StrCpy $R1 "--yes"
    MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "Also delete ${PRODUCT_NAME}'s data: settings, users, earlier versions of documents and recovered saves? Your documents aren't deleted." /SD IDNO IDNO +2
    StrCpy $R1 "--delete-data --delete-recovered --yes"
    nsExec::Exec /TIMEOUT=120000 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" uninstall $R1'
    Pop $R0
    ${if} $R0 != 0
    ${andIf} $R1 != "--yes"
      ; Not $LOCALAPPDATA, which is another folder if the program was installed for all users.
      ReadEnvStr $R0 LOCALAPPDATA
      MessageBox MB_OK|MB_ICONEXCLAMATION "Some of ${PRODUCT_NAME}'s data couldn't be deleted. Delete the folder $R0\DocTray and the ${PRODUCT_NAME} entries in Credential Manager." /SD IDOK
    ${endIf}
    ; Start at login, which the app itself sets. Also if the command failed. The same values are in app/terminal/uninstall.ts.
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "DocTray"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "DocTray"
  ${endIf}
  !insertmacro eachDocumentKind withdrawOpenWith
  DeleteRegKey SHELL_CONTEXT "Software\Classes\${DOCTRAY_DOCUMENT}"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\doctray"
  DeleteRegKey SHELL_CONTEXT "${DOCTRAY_APP_PATH}"
!macroend
