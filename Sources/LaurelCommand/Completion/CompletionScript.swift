// SPDX-License-Identifier: Apache-2.0

/// The scripts that make a shell complete `laurel`. They get all suggestions from `laurel complete`, so that they also
/// work with later versions.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    /// The command that the scripts call. Help does not list it. Its arguments are the words after `laurel`, up to the
    /// word that is being typed. Each line of its output is a candidate, a tab and its meaning; or a tab and an
    /// instruction to the shell.
    static let question = "complete"

    var text: String {
        switch self {
        case .bash: CompletionScript.forBash
        case .zsh: CompletionScript.forZsh
        case .fish: CompletionScript.forFish
        }
    }

    private static let forBash = #"""
        # bash completion for laurel
        _laurel() {
            local cur words cword line quoted extensions
            if declare -F _get_comp_words_by_ref >/dev/null; then
                _get_comp_words_by_ref -n =: cur words cword
            else
                words=("${COMP_WORDS[@]}") cword=$COMP_CWORD cur=${COMP_WORDS[COMP_CWORD]}
            fi
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                    $'\tfiles'*)
                        extensions=${line#$'\tfiles'}
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do
                            [[ -z $extensions || -d $line || "$extensions " == *" ${line##*.} "* ]] && COMPREPLY+=("$line")
                        done < <(compgen -f -- "${cur#--*=}")
                        ;;
                    $'\tfolders')
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "${cur#--*=}")
                        ;;
                    *)
                        line=${line%%$'\t'*}
                        [[ $cur == --*=* ]] && line=${line#--*=}
                        printf -v quoted %q "$line"
                        COMPREPLY+=("$quoted")
                        ;;
                esac
            done < <(laurel complete "${words[@]:1:cword-1}" "$cur" 2>/dev/null)
            if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "${cur#--*=}"; fi
        }
        complete -F _laurel laurel

        """#

    private static let forZsh = #"""
        #compdef laurel
        _laurel() {
            local line
            local -a described
            for line in "${(@f)$(laurel complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                case $line in
                    $'\tfiles'*)
                        local -a extensions=(${=line#$'\tfiles'})
                        compset -P '--*='
                        if (( $#extensions )); then _files -g "*.(${(j:|:)extensions})(-.)"; else _files; fi
                        return
                        ;;
                    $'\tfolders')
                        compset -P '--*='
                        _files -/
                        return
                        ;;
                    '') ;;
                    *$'\t'*) described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
                    *) described+=("${line//:/\\:}") ;;
                esac
            done
            (( $#described )) && _describe -V laurel described
        }
        if [[ $funcstack[1] == _laurel ]]; then _laurel "$@"; else compdef _laurel laurel; fi

        """#

    private static let forFish = #"""
        # fish completion for laurel
        function __laurel_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l option (string match -r '^--[^=]*=' -- "$current")
            for line in (laurel complete $words[2..] "$current" 2>/dev/null)
                if string match -q \t'f*' -- $line
                    set -l extensions (string split -n ' ' -- $line)[2..]
                    for file in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current"))
                        set -l name (string split -m 1 \t -- $file)[1]
                        if string match -q '*/' -- $name
                            echo "$option$file"
                        else if string match -q \tfiles'*' -- $line
                            and test -z "$extensions" -o (contains -- (string split -r -m 1 . -- $name)[-1] $extensions; and echo yes; or echo no) = yes
                            echo "$option$file"
                        end
                    end
                else
                    echo $line
                end
            end
        end
        complete -c laurel -f -a '(__laurel_complete)'

        """#
}
