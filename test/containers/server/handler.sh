#!/bin/sh
# Handles one request to the tests' document server. Like Collabora Online, it accepts documents only from configured addresses,
# like ONLYOFFICE, it has WOPI only if that is enabled, and like both, it calls the host with the token that it gets.

cr=$(printf '\r')
read -r method target _
length=0
host=localhost
while read -r line; do
  line=${line%"$cr"}
  [ -z "$line" ] && break
  case $line in
    [Hh]ost:*) host=${line#*: } ;;
    [Cc]ontent-[Ll]ength:*) length=${line#*: } ;;
  esac
done
body=$(head -c "$length")
path=${target%%\?*}
query=${target#*\?}

answer() { # status, type, body
  printf 'HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' "$1" "$2" "${#3}" "$3"
  exit 0
}

# The value of a parameter. The name is case-insensitive.
parameter() { # name, parameters
  raw=$(printf '%s' "$2" | tr '&' '\n' | grep -i "^$1=" | head -n 1 | cut -d= -f2- | tr '+' ' ')
  printf '%b' "$(printf '%s' "$raw" | sed 's/%/\\x/g')"
}

is_onlyoffice() { [ -n "$JWT_ENABLED" ]; }

# Whether documents from the address are allowed.
is_allowed() { # address
  is_onlyoffice && return 0
  for number in 1 2 3 4 5 6 7 8 9; do
    eval "allowed=\$aliasgroup$number"
    case $1 in "$allowed"/*) [ -n "$allowed" ] && return 0 ;; esac
  done
  return 1
}

# Requests a URL, and prints the error. A statically linked BusyBox can't resolve names, so the name is looked up in /etc/hosts.
fetch() { # address
  rest=${1#*://}
  authority=${rest%%/*}
  name=${authority%%:*}
  case $name in
    *[!0-9.]*) number=$(awk -v name="$name" '{ for (i = 2; i <= NF; i++) if ($i == name) { print $1; exit } }' /etc/hosts) ;;
    *) number=$name ;;
  esac
  [ -n "$number" ] || { echo 'bad address'; return 1; }
  timeout 3 wget -q -O /dev/null --header "Host: $authority" "http://$number:${authority##*:}/${rest#*/}" 2>&1
}

action() { # name, page
  printf '<action name="%s" ext="docx" urlsrc="http://%s%s?"/>' "$1" "$host" "$2"
}

case $method$path in
  GET/hosting/discovery)
    if is_onlyoffice; then
      # DocTray must start the container with both.
      [ "$WOPI_ENABLED" = true ] && [ -n "$JWT_SECRET" ] || answer '404 Not Found' text/plain ''
      page=/hosting/wopi/word
    else
      case $extra_params in *--o:ssl.enable=false*) ;; *) answer '404 Not Found' text/plain '' ;; esac
      page=/browser/1/cool.html
    fi
    more='<app name="Capabilities"><action name="getinfo" ext="" urlsrc="http://'$host'/hosting/capabilities"/></app>'
    answer '200 OK' text/xml "<wopi-discovery><net-zone name=\"external-http\"><app name=\"Word\">$(action view $page/view)$(action edit $page/edit)</app>$more</net-zone></wopi-discovery>"
    ;;
  GET/hosting/capabilities)
    name='Collabora Online Development Edition'
    is_onlyoffice && name='ONLYOFFICE Docs'
    answer '200 OK' application/json "{\"productName\":\"$name\",\"productVersion\":\"9.0.test\"}"
    ;;
  POST/hosting/wopiAccessCheck)
    is_onlyoffice && answer '404 Not Found' text/plain ''
    source=$(printf '%s' "$body" | sed 's/.*"callbackUrl":"\([^"]*\)".*/\1/')
    is_allowed "$source" || answer '200 OK' application/json '{"status":"WopiHostNotAllowed"}'
    error=$(fetch "$source")
    case $? in
      0) answer '200 OK' application/json '{"status":"Ok"}' ;;
      *)
        case $error in
          *'server returned error'*) answer '200 OK' application/json '{"status":"NotHttpSuccess"}' ;;
          *'bad address'*) answer '200 OK' application/json '{"status":"HostNotFound"}' ;;
          *) answer '200 OK' application/json '{"status":"ConnectionRefused"}' ;;
        esac
        ;;
    esac
    ;;
  POST/hosting/wopi/word/*|POST/browser/1/cool.html/*)
    source=$(parameter wopisrc "$query")
    token=$(parameter access_token "$body")
    is_allowed "$source" && fetch "$source?access_token=$token" >/dev/null
    answer '200 OK' text/html '<!doctype html><title>Editor</title>'
    ;;
  *) answer '404 Not Found' text/plain '' ;;
esac
